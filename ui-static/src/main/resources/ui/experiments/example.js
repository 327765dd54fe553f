// What the form begins with.
export const EXAMPLE = {
  experimentName: "",
  trialCommand: "python3 train.py",
  trialCodeDirectory: "",
  trialConcurrency: 2,
  maxTrialNumber: 20,
  searchSpace: { learning_rate: { _type: "loguniform", _value: [0.0001, 0.1] } },
  objectives: [{ metric: "default", goal: "maximize" }],
  tuner: { name: "Auto" },
  trainingService: { platform: "local" },
};
