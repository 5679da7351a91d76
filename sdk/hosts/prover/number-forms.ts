import type { NumberForm } from '../../api/index.js';

/** The forms of scalars and coordinates. */
export const NUMBER_FORMS = ['canonical', 'montgomery'] as const satisfies readonly NumberForm[];
