"""The states of a recording, made by applying its changes to copies one after the other: slow, but easy to trust."""

import copy


def apply(state, changes):
    """Applies changes to a state in place."""
    for change in changes:
        path = change[0]
        place = state
        for key in path[:-1]:
            place = place[key]
        key = path[-1]
        if len(change) == 1:
            del place[key]
        elif isinstance(place, list) and key == len(place):
            place.append(copy.deepcopy(change[1]))
        else:
            place[key] = copy.deepcopy(change[1])


def state_at(recording, position):
    """Returns the state after a number of entries."""
    state = copy.deepcopy(recording["base"])
    for entry in recording["entries"][:position]:
        apply(state, entry.get("changes", []))
    return state
