// What the document of the admin API says about each procedure: complete by type, and compared with the responses in tests.
import type { AdminRouter } from '../router.ts';
import { ACCOUNT_PROCEDURES } from './account-procedures.ts';
import { CATALOGUE_PROCEDURES } from './catalogue-procedures.ts';
import type { ProcedureReference } from './procedure.ts';
import { SERVICE_PROCEDURES } from './service-procedures.ts';
import { SESSION_PROCEDURES } from './session-procedures.ts';

type Procedures = AdminRouter['_def']['record'];

/** Such as `sessions.create`. */
export type ProcedureName = {
  [Router in keyof Procedures & string]: `${Router}.${keyof Procedures[Router] & string}`;
}[keyof Procedures & string];

export const PROCEDURES: Readonly<Record<ProcedureName, ProcedureReference>> = {
  ...ACCOUNT_PROCEDURES,
  ...SESSION_PROCEDURES,
  ...CATALOGUE_PROCEDURES,
  ...SERVICE_PROCEDURES,
};

export type { ProcedureReference } from './procedure.ts';
