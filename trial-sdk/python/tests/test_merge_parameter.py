"""``nni.utils.merge_parameter``, loaded from its file so that no other nni gets in between."""

import argparse
import importlib.util
import os
import unittest

from .trial_process import COMPAT

_spec = importlib.util.spec_from_file_location('stand_in_utils', os.path.join(COMPAT, 'nni', 'utils.py'))
_utils = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_utils)
merge_parameter = _utils.merge_parameter


class Defaults:
    lr = 0.1


class MergeParameterTest(unittest.TestCase):

    def test_a_dict_is_updated_in_place_and_returned(self):
        base = {'lr': 0.1, 'units': 8}
        self.assertIs(merge_parameter(base, {'lr': 0.5}), base)
        self.assertEqual(base, {'lr': 0.5, 'units': 8})

    def test_a_namespace_is_updated_in_place_and_returned(self):
        base = argparse.Namespace(lr=0.1, units=8)
        self.assertIs(merge_parameter(base, {'units': 16}), base)
        self.assertEqual(base, argparse.Namespace(lr=0.1, units=16))

    def test_defaults_of_a_class_count(self):
        self.assertEqual(merge_parameter(Defaults(), {'lr': 0.5}).lr, 0.5)

    def test_no_override_changes_nothing(self):
        self.assertEqual(merge_parameter({'lr': 0.1}, None), {'lr': 0.1})

    def test_an_int_becomes_a_float_where_the_default_is_one(self):
        merged = merge_parameter({'lr': 0.1}, {'lr': 1})
        self.assertIs(type(merged['lr']), float)

    def test_a_default_of_none_takes_any_type(self):
        self.assertEqual(merge_parameter({'a': None}, {'a': [1]}), {'a': [1]})

    def test_a_refusal_names_the_parameter_and_changes_nothing(self):
        for bad, error in (({'lr': 0.5, 'unknown': 1}, ValueError), ({'lr': 0.5, 'units': 8.5}, TypeError),
                           ({'lr': 0.5, 'units': True}, TypeError)):
            for base in ({'lr': 0.1, 'units': 8}, argparse.Namespace(lr=0.1, units=8)):
                with self.assertRaisesRegex(error, 'unknown|units'):
                    merge_parameter(base, bad)
                self.assertEqual(base['lr'] if isinstance(base, dict) else base.lr, 0.1)
