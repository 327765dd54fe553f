"""What may be reported, and how it is written."""

import json
import unittest
from decimal import Decimal
from fractions import Fraction

from orrery_trial import metric


class Scalar:
    """Looks like a scalar of numpy or PyTorch."""

    def __init__(self, value):
        self._value = value

    def item(self):
        return self._value

    def tolist(self):
        return self._value


class LongDouble:
    """Looks like NumPy's longdouble, whose item is itself: Python has nothing for it."""

    def __init__(self, value):
        self._value = value

    def __float__(self):
        return float(self._value)

    def item(self):
        return self

    def tolist(self):
        return self


class Array:
    """Looks like an array of several elements."""

    def item(self):
        raise ValueError('can only convert an array of size 1')

    def tolist(self):
        return [1, 2]


class EagerTensor:
    """Looks like a tensor of TensorFlow, which only knows how to become numpy."""

    def __init__(self, content):
        self._content = content

    def numpy(self):
        return self._content


class MetricTest(unittest.TestCase):

    def final(self, value):
        return metric.encode(value, is_final=True)

    def test_numbers_of_all_kinds_are_plain_numbers(self):
        for value, text in ((3, '3'), (0.1, '0.1'), (True, '1'), (False, '0'), (float('nan'), 'NaN'),
                            (float('inf'), 'Infinity'), (Scalar(0.5), '0.5'), (Scalar(True), '1'),
                            (EagerTensor(Scalar(2)), '2')):
            self.assertEqual(self.final(value), text)

    def test_numbers_of_other_types_are_taken_as_floats(self):
        """C7."""
        for value, text in ((Decimal('0.5'), '0.5'), (Fraction(1, 4), '0.25'), (Decimal('NaN'), 'NaN'),
                            (Decimal('-Infinity'), '-Infinity'), (Scalar(Decimal('0.1')), '0.1'),
                            (LongDouble(0.75), '0.75'), ({'default': Fraction(1, 2)}, '{"default": 0.5}'),
                            ({'default': 1, 'loss': [Decimal('0.1'), LongDouble(2)]}, '{"default": 1, "loss": [0.1, 2.0]}')):
            self.assertEqual(self.final(value), text)

    def test_what_has_no_float_is_no_number(self):
        for value in (1j, Fraction(10) ** 400, Decimal('sNaN')):
            with self.assertRaisesRegex(ValueError, 'must be a number'):
                self.final(value)

    def test_a_dict_counts_by_its_default(self):
        text = self.final({'loss': Array(), 'default': Scalar(0.5), 'tensor': EagerTensor(Array())})
        self.assertEqual(text, '{"loss": [1, 2], "default": 0.5, "tensor": [1, 2]}')

    def test_the_reported_dict_stays_as_it_was(self):
        reported = {'default': True}
        self.final(reported)
        self.assertIs(reported['default'], True)

    def test_a_final_result_without_a_number_is_refused_and_says_what_would_be_right(self):
        for value, described in (('0.9', 'of type str'), (None, 'of type NoneType'), ([1], 'of type list'),
                                 (Array(), 'of type Array'), ({'default': None}, '"default" is of type NoneType'),
                                 ({'default': 'high'}, '"default" is of type str')):
            with self.assertRaisesRegex(ValueError, 'must be a number, or a dict whose "default", if it has one, is a number.*' + described):
                self.final(value)

    def test_a_dict_without_default_is_passed_on_with_a_warning_that_says_what_it_counts_for(self):
        """As the server takes it: MetricValue.reported."""
        for is_final, counts in ((True, 'where objectives of the experiment have the names'), (False, 'neither compared')):
            for value, text in (({'acc': Scalar(0.5), 'loss': 1}, '{"acc": 0.5, "loss": 1}'), ({}, '{}')):
                with self.assertWarnsRegex(RuntimeWarning, counts):
                    self.assertEqual(metric.encode(value, is_final=is_final), text)

    def test_an_intermediate_result_that_is_no_metric_is_passed_on_with_a_warning(self):
        for value, text in (('high', '"high"'), ({'default': 'high'}, '{"default": "high"}')):
            with self.assertWarnsRegex(RuntimeWarning, 'The server does not keep it'):
                self.assertEqual(metric.encode(value, is_final=False), text)

    def test_what_is_not_json_is_refused(self):
        for value in ({'default': 1, 'model': object()}, {'default': 1, ('a', 'b'): 2}):
            with self.assertRaisesRegex(TypeError, 'a result must be JSON'):
                self.final(value)

    def test_a_record_stays_below_a_million_bytes_with_its_frame(self):
        empty = len(json.dumps({'value': ''}))
        fitting = {'value': 'x' * (999999 - 9 - empty)}
        self.assertEqual(len(metric.to_record(fitting)), 999990)
        with self.assertRaisesRegex(ValueError, '1000000 bytes'):
            metric.to_record({'value': fitting['value'] + 'x'})
