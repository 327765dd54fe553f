"""The variables of a trial."""

import unittest

from orrery_trial.env import TrialEnvironment


class TrialEnvironmentTest(unittest.TestCase):

    def test_nothing_set_is_standalone(self):
        environment = TrialEnvironment({})
        self.assertTrue(environment.standalone)
        self.assertEqual((environment.experiment_id, environment.trial_id, environment.sequence_id),
                         ('STANDALONE', 'STANDALONE', 0))

    def test_an_unknown_sequence_is_minus_one(self):
        self.assertEqual(TrialEnvironment({'NNI_TRIAL_SEQ_ID': '-1'}).sequence_id, -1)

    def test_a_variable_that_is_no_number_is_named(self):
        with self.assertRaisesRegex(ValueError, "NNI_TRIAL_SEQ_ID must be a whole number, but is 'x'"):
            TrialEnvironment({'NNI_TRIAL_SEQ_ID': 'x'})

    def test_only_http_channels_are_channels(self):
        def url(text):
            return TrialEnvironment({'NNI_TRIAL_COMMAND_CHANNEL': text}).channel_url
        self.assertEqual(url('http://h:1/p'), 'http://h:1/p')
        self.assertEqual(url('https://h/p'), 'https://h/p')
        self.assertIsNone(url('import://module.Class'))
        self.assertIsNone(url(''))
