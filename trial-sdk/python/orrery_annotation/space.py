"""The search space that annotations describe."""

from .annotations import Mistake


def of(annotations):
    """A search space of the parameters that have a name; one that is named twice must be the same both times."""
    space = {}
    for annotation in annotations:
        if annotation.spec is None:
            continue
        if space.get(annotation.name, annotation.spec) != annotation.spec:
            raise Mistake('%s: another parameter is called %s already' % (annotation.place, annotation.name))
        space[annotation.name] = annotation.spec
    return space
