// How often things happen.

/** Calls at once, then at most every `pause` ms, and always once more after the last request. */
export function paced(action, pause) {
  let timer = null;
  let again = false;
  const run = () => {
    again = false;
    timer = setTimeout(() => {
      timer = null;
      if (again) {
        run();
      }
    }, pause);
    action();
  };
  const request = () => (timer === null ? run() : (again = true));
  request.cancel = () => {
    clearTimeout(timer);
    timer = null;
    again = false;
  };
  return request;
}

/** Calls when nothing was requested for `pause` ms. */
export function settled(action, pause) {
  let timer = null;
  const request = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), pause);
  };
  request.cancel = () => clearTimeout(timer);
  return request;
}
