/** The result of `own` if an object doesn't have the key. */
const missing = Symbol("missing");

/** Returns an own value of an object or array, never one of its prototype. */
const own = (object, key) => (Object.hasOwn(object, key) ? object[key] : missing);

const isContainer = (value) => value !== null && typeof value === "object";

/** The kind of a value; "redacted" or "omitted" for a value that the program has left out. */
function kindOf(value) {
  if (value === null) return "null";
  if (value === missing) return "missing";
  if (Array.isArray(value)) return "array";
  if (typeof value !== "object") return typeof value;
  const mark = own(value, "$arbor");
  return mark === "redacted" || mark === "omitted" ? mark : "object";
}

const keyLists = new WeakMap();

/** The keys of an object in order, cached as long as the object exists. */
function keysOf(object) {
  let keys = keyLists.get(object);
  if (!keys) keyLists.set(object, (keys = Object.keys(object)));
  return keys;
}

/** The number of direct children of a value; 0 if it isn't a container. */
function childCount(value) {
  const kind = kindOf(value);
  return kind === "array" ? value.length : kind === "object" ? keysOf(value).length : 0;
}

/** A key as the program wrote it: `$$arbor` means the program's own key `$arbor`. */
const programKey = (key) => (/^\$\$+arbor$/.test(key) ? key.slice(1) : key);

const unseen = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const shortEscapes = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(character) {
  const code = character.codePointAt(0).toString(16);
  return shortEscapes[character] ?? `\\u${code.length <= 4 ? code.padStart(4, "0") : `{${code}}`}`;
}

/** A text of limited length, with escapes for characters that are invisible or change the direction of text. */
function visible(text, limit = 500) {
  const isLong = text.length > limit;
  return (isLong ? text.slice(0, limit) : text).replace(unseen, escaped) + (isLong ? "…" : "");
}

/** A text as in `visible`, but with line breaks and tabs. */
const visibleLines = (text, limit) => visible(text, limit).replaceAll("\\n", "\n").replaceAll("\\t", "\t");

/** A number, a Boolean, a string or a mark, on one line. */
function leafText(value, limit) {
  switch (kindOf(value)) {
    case "string": return `"${visible(value, limit)}"`;
    case "redacted": return "redacted";
    case "omitted": {
      const text = own(value, "text");
      return typeof text === "string" ? `omitted: ${visible(text, limit)}` : "omitted";
    }
    case "missing": return "nothing";
    default: return String(value);
  }
}

/** The beginning of a value on one line, with at most three levels and a limited length. */
function preview(value, limit = 120, depth = 0) {
  const kind = kindOf(value);
  if (kind !== "array" && kind !== "object") return leafText(value, limit);
  const [open, close] = kind === "array" ? "[]" : "{}";
  const count = childCount(value);
  if (count === 0) return open + close;
  if (depth > 2) return `${open}…${close}`;
  let text = open;
  for (let place = 0; place < count; place += 1) {
    if (place > 0) text += ", ";
    if (text.length >= limit) return `${text}…${close}`;
    const key = kind === "array" ? place : keysOf(value)[place];
    if (kind === "object") text += `${visible(programKey(key), 40)}: `;
    text += preview(value[key], Math.max(8, limit - text.length), depth + 1);
  }
  return text + close;
}

/** The text of an id, which should be a number or a text. */
const idText = (id, limit) => (isContainer(id) ? preview(id, limit) : visible(String(id), limit));

/** The keys of a path after the store's id, in the form `cart.items[0].count`. */
function keysText(keys) {
  let text = "";
  for (const key of keys) {
    if (typeof key === "number") text += `[${key}]`;
    else {
      const shown = visible(programKey(String(key)), 80);
      text += /^[^\s.[\]"=#/]+$/.test(shown) ? (text ? "." : "") + shown : `[${JSON.stringify(shown)}]`;
    }
  }
  return text;
}

/** The path of a change or of a row in the tree, with its store. */
const pathText = (path) => `#${idText(path[0], 20)}${path.length > 1 ? " " : ""}${keysText(path.slice(1))}`;
