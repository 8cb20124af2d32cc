-- The tables and functions of PostgresLog, version 1, for PostgreSQL 15 and later.
--
-- PostgresLog.connect runs this script itself if its role may create a schema. Otherwise, an administrator runs it once per
-- database, and grants the clients' role the rights it needs:
--
--   psql --set ON_ERROR_STOP=1 --file migration.sql THE_DATABASE
--   GRANT USAGE ON SCHEMA arbor TO THE_ROLE;
--   GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA arbor TO THE_ROLE;
--   GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA arbor TO THE_ROLE;
--
-- The role that runs the script owns the schema `arbor` and everything in it. The clients must trust this role: the owner of a
-- schema decides which code runs in it, with the rights of the role that calls it. So clients trust only their own role and the
-- owners that they name. They refuse the schema if another role owns it or anything in it, may create something in it, or may
-- add a trigger to a table. Grant no other rights than those above.
--
-- Running the script again does nothing, even if several roles run it at the same time.
BEGIN;

SET LOCAL client_min_messages = warning;
-- No object that another role has created can be called in place of the intended one.
SET LOCAL search_path = pg_catalog, pg_temp;

DO $$
BEGIN
  -- Only one script runs at a time. The number is 'arbor' in ASCII.
  PERFORM pg_advisory_xact_lock(x'6172626f72'::bigint);
  -- IF NOT EXISTS would require the right to create schemas, even if this one exists.
  IF to_regnamespace('arbor') IS NULL THEN
    CREATE SCHEMA arbor;
  ELSIF (SELECT n.nspowner <> r.oid FROM pg_namespace n, pg_roles r WHERE n.nspname = 'arbor' AND r.rolname = current_user)
  THEN
    RAISE EXCEPTION 'the schema arbor belongs to another role, which must run this script';
  END IF;
  IF to_regclass('arbor.migrations') IS NOT NULL THEN
    IF (SELECT max(m.version) > 1 FROM arbor.migrations m) THEN
      RAISE EXCEPTION 'the schema arbor has a newer version than this script, which has version 1';
    END IF;
  END IF;
END
$$;

-- The versions of this script that were run. Clients refuse a database with an unknown version.
CREATE TABLE IF NOT EXISTS arbor.migrations (
  version integer PRIMARY KEY,
  applied timestamptz NOT NULL DEFAULT now()
);

-- The logs. Each append locks the row of its log until it is committed, so that positions have no gaps and become visible in
-- order. Names are compared by their bytes, so an update of the system's locales doesn't change their order.
CREATE TABLE IF NOT EXISTS arbor.logs (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  reducer_version bigint NOT NULL,
  lease interval NOT NULL,
  head bigint NOT NULL DEFAULT 0,
  compacted_end bigint NOT NULL DEFAULT 0,
  CHECK (0 <= compacted_end AND compacted_end <= head)
) WITH (fillfactor = 20);

-- The clients: the last number in the log, the position up to which the client has read, and the time of its last note, which
-- is null if it has only sent actions. The incarnation is the bit pattern of an unsigned number.
CREATE TABLE IF NOT EXISTS arbor.clients (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  log bigint NOT NULL REFERENCES arbor.logs ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  incarnation bigint NOT NULL,
  last_number bigint NOT NULL DEFAULT 0,
  position bigint NOT NULL DEFAULT 0,
  heard timestamptz,
  UNIQUE (log, incarnation, name)
) WITH (fillfactor = 50);

-- The actions after the compacted end. The table itself also ensures that the log has each action at most once.
CREATE TABLE IF NOT EXISTS arbor.actions (
  log bigint NOT NULL REFERENCES arbor.logs ON DELETE CASCADE,
  position bigint NOT NULL,
  client bigint NOT NULL,
  number bigint NOT NULL,
  version bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (log, position),
  UNIQUE (client, number)
);

-- The newest snapshot of each log. The numbers are pairs of a client and its last number, as JSON.
CREATE TABLE IF NOT EXISTS arbor.snapshots (
  log bigint PRIMARY KEY REFERENCES arbor.logs ON DELETE CASCADE,
  position bigint NOT NULL,
  numbers jsonb NOT NULL,
  version bigint NOT NULL,
  bytes bytea NOT NULL
);

-- Finds or creates a log, notes that a client is connected, and returns a description of the log.
CREATE OR REPLACE FUNCTION arbor.connect(
  log_name text, new_reducer_version bigint, new_lease interval,
  client_name text, client_incarnation bigint, moment timestamptz,
  OUT found_id uuid, OUT found_reducer_version bigint, OUT log_end bigint, OUT log_compacted_end bigint,
  OUT known_number bigint, OUT lease_microseconds bigint
) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  log_key bigint;
BEGIN
  SELECT l.key INTO log_key FROM arbor.logs l WHERE l.name = log_name;
  IF log_key IS NULL THEN
    INSERT INTO arbor.logs (name, reducer_version, lease) VALUES (log_name, new_reducer_version, new_lease)
      ON CONFLICT DO NOTHING;
    SELECT l.key INTO log_key FROM arbor.logs l WHERE l.name = log_name;
  END IF;
  INSERT INTO arbor.clients AS c (log, name, incarnation, heard)
    VALUES (log_key, client_name, client_incarnation, moment)
    ON CONFLICT (log, incarnation, name) DO UPDATE SET heard = excluded.heard;
  SELECT l.id, l.reducer_version, l.head, l.compacted_end, c.last_number, extract(epoch FROM l.lease) * 1000000
    INTO found_id, found_reducer_version, log_end, log_compacted_end, known_number, lease_microseconds
    FROM arbor.logs l JOIN arbor.clients c ON c.log = l.key
    WHERE l.key = log_key AND c.incarnation = client_incarnation AND c.name = client_name;
END
$$;

-- Appends the actions of a batch that the log doesn't have yet, if it has all actions before them.
--
-- It returns the id of the log with the name, and the client's last number in the log before the call. It does nothing if this
-- is another log, or if the batch begins after the next number.
CREATE OR REPLACE FUNCTION arbor.append(
  log_name text, log_id uuid, client_name text, client_incarnation bigint,
  first_number bigint, action_version bigint, contents bytea[],
  OUT found_id uuid, OUT known_number bigint
) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  log_key bigint;
  log_head bigint;
  client_key bigint;
  known bigint;
  fresh bigint;
BEGIN
  -- Every later statement sees all commits of the previous holders of the lock.
  SELECT l.key, l.id, l.head INTO log_key, found_id, log_head FROM arbor.logs l WHERE l.name = log_name FOR NO KEY UPDATE;
  IF found_id IS DISTINCT FROM log_id THEN
    RETURN;
  END IF;
  SELECT c.key, c.last_number INTO client_key, known FROM arbor.clients c
    WHERE c.log = log_key AND c.incarnation = client_incarnation AND c.name = client_name;
  known_number := coalesce(known, 0);
  known := known_number + 1 - first_number;
  fresh := cardinality(contents) - known;
  IF known < 0 OR fresh <= 0 THEN
    RETURN;
  END IF;
  IF client_key IS NULL THEN
    -- The client may connect at the same time.
    INSERT INTO arbor.clients AS c (log, name, incarnation, last_number)
      VALUES (log_key, client_name, client_incarnation, known_number + fresh)
      ON CONFLICT (log, incarnation, name) DO UPDATE SET last_number = excluded.last_number
      RETURNING c.key INTO client_key;
  ELSE
    UPDATE arbor.clients c SET last_number = known_number + fresh WHERE c.key = client_key;
  END IF;
  INSERT INTO arbor.actions (log, position, client, number, version, bytes)
    SELECT log_key, log_head + n - known, client_key, first_number + n - 1, action_version, content
    FROM unnest(contents) WITH ORDINALITY AS batch (content, n) WHERE n > known;
  UPDATE arbor.logs l SET head = log_head + fresh WHERE l.key = log_key;
END
$$;

-- Removes some of the actions that are in the newest snapshot and were read by all connected clients.
--
-- It returns the id of the log with the name, and true if there are more actions to remove.
CREATE OR REPLACE FUNCTION arbor.compact(
  log_name text, log_id uuid, moment timestamptz, at_most bigint,
  OUT found_id uuid, OUT has_more boolean
) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  log_key bigint;
  log_end bigint;
  snapshot_position bigint;
  wanted bigint;
BEGIN
  has_more := false;
  SELECT l.key, l.id INTO log_key, found_id FROM arbor.logs l WHERE l.name = log_name;
  IF found_id IS DISTINCT FROM log_id THEN
    RETURN;
  END IF;
  -- Only one call runs at a time. Appends wait only for the change of the log's row, not until the actions are removed.
  SELECT s.position INTO snapshot_position FROM arbor.snapshots s WHERE s.log = log_key FOR NO KEY UPDATE;
  IF snapshot_position IS NULL THEN
    RETURN;
  END IF;
  SELECT l.compacted_end,
      least(
        snapshot_position,
        (SELECT min(c.position) FROM arbor.clients c WHERE c.log = log_key AND c.heard >= moment - l.lease)
      )
    INTO log_end, wanted FROM arbor.logs l WHERE l.key = log_key;
  IF wanted <= log_end THEN
    RETURN;
  END IF;
  has_more := wanted > log_end + at_most;
  wanted := least(wanted, log_end + at_most);
  DELETE FROM arbor.actions a WHERE a.log = log_key AND a.position > log_end AND a.position <= wanted;
  UPDATE arbor.logs l SET compacted_end = wanted WHERE l.key = log_key;
END
$$;

INSERT INTO arbor.migrations (version) VALUES (1) ON CONFLICT DO NOTHING;

COMMIT;
