"""Readers of the files that ``nnictl update`` takes."""

import json

__all__ = ['load_search_space']


def load_search_space(path):
    """Returns the content of a JSON file, written again by Python, as NNI's test runner compares it.

    ValueError: the file holds nothing, or no JSON.
    """
    with open(path, encoding='utf-8') as file:
        content = json.load(file)
    if not content:
        raise ValueError('%s is empty' % path)
    return json.dumps(content)
