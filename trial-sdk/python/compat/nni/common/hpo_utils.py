"""``nni.common.hpo_utils``: the check of a search space that algorithms make when they are given one."""

import logging

__all__ = ['validate_search_space']

_logger = logging.getLogger(__name__)


def validate_search_space(search_space, support_types=None, raise_exception=False):
    """Whether all parameters are of the types that are supported. What the server hands out is well-formed otherwise.

    ValueError: they are not, and ``raise_exception`` is set; otherwise it is logged.
    """
    for name, spec in search_space.items():
        if support_types is not None and spec['_type'] not in support_types:
            message = 'parameter %r is of type %s, supported are %s' % (name, spec['_type'], ', '.join(support_types))
            if raise_exception:
                raise ValueError(message)
            _logger.error(message)
            return False
    return True
