import type { NumberForm } from '../api.js';

/** The forms of scalars and coordinates. */
export const NUMBER_FORMS = ['canonical', 'montgomery'] as const satisfies readonly NumberForm[];
