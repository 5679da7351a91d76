/**
 * Whether each curve is tested in each form, and with many more random values: `npm run test:all`, which a release
 * runs.
 */
export const EVERY_COMBINATION = process.env.PIPPIN_TEST_ALL === '1';
