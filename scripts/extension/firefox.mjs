/** @param {import('./trials.mjs').Trials} _trials @param {string} _firefox */
export async function tryFirefox(_trials, _firefox) {}
