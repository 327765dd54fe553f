"""``nni.common.serializer``: JSON, without the objects that architecture search puts into it."""

import json

__all__ = ['dump', 'load']


def dump(obj, fp=None, **json_kwargs):
    """The JSON text of an object; also written to ``fp`` when that is given."""
    text = json.dumps(obj, **json_kwargs)
    if fp is not None:
        fp.write(text)
    return text


def load(string=None, *, fp=None, **json_kwargs):
    """The object of a JSON text, or of the file ``fp``."""
    return json.loads(fp.read() if string is None else string, **json_kwargs)
