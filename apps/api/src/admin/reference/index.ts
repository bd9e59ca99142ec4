// What the document of the admin API says about each procedure: complete by type, and compared with the responses in tests.
import type { inferRouterInputs } from '@trpc/server';
import type { AdminRouter } from '../router.ts';
import { ACCOUNT_PROCEDURES } from './account-procedures.ts';
import { CATALOGUE_PROCEDURES } from './catalogue-procedures.ts';
import { CHANGE_SET_PROCEDURES } from './change-set-procedures.ts';
import { EVENT_PROCEDURES } from './event-procedures.ts';
import { ITEM_SCHEMA_PROCEDURES } from './item-schema-procedures.ts';
import type { ProcedureReference } from './procedure.ts';
import { REFUSED_JOIN_PROCEDURES } from './refused-join-procedures.ts';
import { SERVICE_PROCEDURES } from './service-procedures.ts';
import { SESSION_PROCEDURES } from './session-procedures.ts';
import { VIEW_PROCEDURES } from './view-procedures.ts';
import { WEBHOOK_PROCEDURES } from './webhook-procedures.ts';

type Inputs = inferRouterInputs<AdminRouter>;

/** The names of the routers; `changeSets.apply` is a procedure beside them. */
export type RouterName = Exclude<keyof Inputs, `${string}.${string}`>;

/** Such as `sessions.create`. */
export type ProcedureName =
  | Exclude<keyof Inputs, RouterName>
  | { [Key in RouterName]: `${Key}.${keyof Inputs[Key] & string}` }[RouterName];

export const PROCEDURES: Readonly<Record<ProcedureName, ProcedureReference>> = {
  ...ACCOUNT_PROCEDURES,
  ...SESSION_PROCEDURES,
  ...EVENT_PROCEDURES,
  ...REFUSED_JOIN_PROCEDURES,
  ...WEBHOOK_PROCEDURES,
  ...CATALOGUE_PROCEDURES,
  ...ITEM_SCHEMA_PROCEDURES,
  ...CHANGE_SET_PROCEDURES,
  ...VIEW_PROCEDURES,
  ...SERVICE_PROCEDURES,
};

export type { ProcedureReference } from './procedure.ts';
