// The tRPC base of the admin API: context, errors, and procedures that require a permission.
import type { RequiredPermission, ValidationProblem } from '@muster/contract';
import {
  createNullRemover,
  describeIssues,
  ERROR_CATALOGUE,
  permits,
  READ_HISTORY,
  Uuid,
} from '@muster/contract';
import type { AnyTRPCProcedure } from '@trpc/server';
import { initTRPC, TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { Caller, Grantor } from '../auth/index.ts';
import { isIndividual, refusePendingPassword, toGrantor } from '../auth/index.ts';
import type { SandboxAuthority } from '../catalogue/index.ts';
import type { LongPoll, Semaphore } from '../flow/index.ts';
import { createSemaphore, stringifyPaced } from '../flow/index.ts';
import type { Actor } from '../platform/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { AnswerTexts } from './answer-texts.ts';
import type { CheckAnswer, ProcedureMeta } from './procedures.ts';
import { inputsOf } from './procedures.ts';
import { createUnknownFieldCheck } from './unknown-fields.ts';

export type AdminContext = {
  /** The verified caller, or why there is none; the procedures throw it. */
  caller: Caller | ServiceError;
  /** Why the query or body cannot be read; the procedures throw it after authentication. */
  inputProblem?: ServiceError | undefined;
  requestId: string;
  address: string | undefined;
  /** The origin of the web app, for links. */
  origin: string;
  /** True for errors that say that the database is unavailable. */
  isOutage: (error: unknown) => boolean;
  /** Throws during maintenance. */
  refuseChanges: () => void;
  /** Where the texts of answers are kept; absent where tRPC writes them. */
  answers?: AnswerTexts;
  /** What the calls of one request share; absent where there is one call. */
  batch?: Batch | undefined;
  /** Waits outside of the limits for requests in progress. `check` gets the caller as verified after the wait. */
  longPoll: (
    wait: Parameters<LongPoll>[0],
    check: (caller: Caller) => void,
  ) => ReturnType<LongPoll>;
  /** Compares answers with the reference, in tests. */
  checkAnswer?: CheckAnswer | undefined;
};

type Batch = { queries: Semaphore; mutations: Semaphore; answerLength: number };

/** The calls of a request that run at once: each may hold a database connection, and a page in memory. */
const CALLS_AT_ONCE = 4;
/** Characters of all answers of one request. */
const MAX_BATCH_LENGTH = 7 * 1_048_576;
/** Of a player's token, since several of one request are in memory at the same time. */
const MAX_PLAYER_BATCH_LENGTH = 1_048_576;

export const createBatch = (): Batch => ({
  queries: createSemaphore(CALLS_AT_ONCE),
  // One at a time, so that each but the last knows the length of the responses before it.
  mutations: createSemaphore(1),
  answerLength: 0,
});

const TRPC_CODES: Record<number, TRPCError['code']> = {
  400: 'BAD_REQUEST',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

const toTrpcError = (error: ServiceError): TRPCError =>
  new TRPCError({
    code: TRPC_CODES[ERROR_CATALOGUE[error.code].status] ?? 'INTERNAL_SERVER_ERROR',
    message: error.message,
    cause: error,
  });

const t = initTRPC
  .context<AdminContext>()
  .meta<ProcedureMeta>()
  .create({
    errorFormatter: ({ shape, error, input }) => {
      const { code, httpStatus, path } = shape.data;
      const facts = describeCallError(error, input);
      return { ...shape, message: facts.desc, data: { code, httpStatus, path, ...facts } };
    },
  });

type ErrorFacts = { error_code: string; desc: string; detail?: ValidationProblem[] };

/** The response to a failed call. */
export const describeCallError = (
  error: TRPCError,
  input: unknown,
): ErrorFacts & Record<string, unknown> => {
  if (error.cause instanceof ServiceError) {
    const { code, evidence, message } = error.cause;
    const { facts, place, problems = [] } = evidence;
    const detail = problems.map((problem) => ({ ...problem, loc: ['body', ...problem.loc] }));
    if (place) detail.push({ loc: ['body', place], msg: message, type: `value_error.${code}` });
    return { ...facts, error_code: code, desc: message, ...(detail.length > 0 && { detail }) };
  }
  if (error.cause instanceof z.core.$ZodError) {
    const detail = describeIssues('body', error.cause.issues, input);
    return { error_code: 'input_invalid', desc: ERROR_CATALOGUE.input_invalid.desc, detail };
  }
  if (error.cause instanceof SyntaxError) {
    const detail = [{ loc: ['body'], msg: 'Must be JSON', type: 'value_error.jsondecode' }];
    return { error_code: 'input_invalid', desc: 'The input is not JSON.', detail };
  }
  if (error.code === 'INTERNAL_SERVER_ERROR') {
    return { error_code: 'internal_error', desc: ERROR_CATALOGUE.internal_error.desc };
  }
  // tRPC's own refusals have a sentence. Any other cause is an error of the engine, such as a stack overflow from too many problems:
  // its message is internal.
  return error.cause
    ? {
        error_code: 'input_invalid',
        desc: 'The input is not valid, in more ways than can be listed.',
      }
    : { error_code: error.code.toLowerCase(), desc: error.message };
};

/**
 * Every router of the admin API. In all procedures an unknown field is an error, and null for an optional member is the same
 * as absence.
 */
export const router: typeof t.router = (routes) => {
  const entries = Object.entries(routes).map(([name, route]) => [
    name,
    isProcedure(route) ? withStrictInput(route) : route,
  ]);
  return t.router(Object.fromEntries(entries) as typeof routes);
};

/** The input of a procedure that takes none. */
export const NoInput = z.object({}).optional();

/** A router is an object. */
const isProcedure = (route: unknown): route is AnyTRPCProcedure => typeof route === 'function';

const withStrictInput = (procedure: AnyTRPCProcedure) => {
  const inputs = inputsOf(procedure);
  // tRPC does not read the input of a procedure without a schema, so nothing would refuse unknown fields.
  if (inputs.length === 0) throw new Error('A procedure needs an input schema, such as NoInput.');
  const removers = inputs.map(createNullRemover);
  const refuseUnknownFields = createUnknownFieldCheck(inputs);
  const invoke = (call: Parameters<AnyTRPCProcedure>[0]) => {
    let input: unknown;
    let reads = 0;
    // tRPC reads the input once for each schema. The permission for a sandbox is checked between the first and the last.
    const getRawInput = async () => {
      if (reads === 0) {
        input = removers.reduce((value, remove) => remove(value), await call.getRawInput());
      }
      reads += 1;
      if (reads === inputs.length) {
        await refuseUnknownFields(input).catch((cause: unknown) => {
          throw new TRPCError({ code: 'BAD_REQUEST', cause });
        });
      }
      return input;
    };
    return procedure({ ...call, getRawInput });
  };
  return Object.assign(invoke, procedure);
};

/** Services throw ServiceError; every procedure turns it into the error that tRPC carries. */
const translateErrors = t.middleware(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok) return result;
  const { cause } = result.error;
  if (cause instanceof ServiceError) throw toTrpcError(cause);
  if (ctx.isOutage(cause)) throw toTrpcError(new ServiceError('service_unavailable', { cause }));
  return result;
});

/** The middleware that verifies the caller. `check` throws what else refuses the call. */
const authenticate = (check: (caller: Caller) => void = () => {}) =>
  t.middleware(({ ctx, meta, type, next }) => {
    const { caller, requestId, address } = ctx;
    if (caller instanceof ServiceError) throw caller;
    if (type === 'mutation' && !meta?.duringMaintenance) ctx.refuseChanges();
    if (ctx.inputProblem) throw ctx.inputProblem;
    const mayBePending = meta?.access === 'authenticated' && meta.beforePasswordChange;
    if (!mayBePending) refusePendingPassword(caller);
    check(caller);
    const actor: Actor = { accountId: caller.accountId, requestId, ...(address && { address }) };
    return next({ ctx: { caller, actor } });
  });

/**
 * Writes the response of each call in pieces. The calls of a batch have one limit together. A mutation is refused before it runs or not
 * at all: once it has written something, its response is sent, and only the mutations after it are refused.
 */
const writeAnswer = t.middleware(({ ctx, meta, path, type, next, signal }) => {
  const { batch, answers, caller, checkAnswer } = ctx;
  const answer = async (admit: (length: number) => void) => {
    const result = await next();
    if (checkAnswer) checkResult(result, (found) => checkAnswer(path, meta, found));
    if (!answers || !result.ok || result.data === undefined) return result;
    const text = await stringifyPaced(result.data);
    admit(text.length);
    return { ...result, data: answers.keep(text) };
  };
  if (!batch) return answer(() => {});
  const isQuery = type === 'query';
  const maxLength = isPlayer(caller) ? MAX_PLAYER_BATCH_LENGTH : MAX_BATCH_LENGTH;
  const inSlot = isQuery ? batch.queries : batch.mutations;
  const run = async () => {
    if (batch.answerLength >= maxLength) throw batchTooLarge();
    return answer((length) => {
      if (isQuery && batch.answerLength + length > maxLength) throw batchTooLarge();
      batch.answerLength += length;
    });
  };
  // When a client disconnects, no further call begins; mutations that have begun are completed.
  return inSlot(run, signal);
});

const batchTooLarge = (): ServiceError =>
  new ServiceError('body_too_large', {
    desc: 'The responses of this batch are too large together: send this call in a request of its own.',
  });

/** A token with which a player joins. */
export const isPlayer = (caller: Caller | ServiceError): boolean =>
  !(caller instanceof ServiceError) && isIndividual(caller) && !caller.person;

/** In tests. */
const checkResult = (
  result: { ok: true; data: unknown } | { ok: false; error: TRPCError },
  check: (found: Parameters<CheckAnswer>[2]) => void,
): void => {
  if (result.ok) check({ data: result.data });
  else if (result.error.cause instanceof ServiceError) check({ code: result.error.cause.code });
};

const base = t.procedure.use(translateErrors).use(writeAnswer);

const requirePermission = (
  caller: Caller,
  anyOf: readonly RequiredPermission[],
  sandboxId?: string,
) => {
  if (!permits(caller.permissions, anyOf, sandboxId)) {
    throw new ServiceError('insufficient_permissions');
  }
};

/** A procedure for callers that hold any one of these permissions. */
export const permittedProcedure = (...anyOf: RequiredPermission[]) =>
  base
    .meta({ access: 'permitted', anyOf })
    .use(authenticate((caller) => requirePermission(caller, anyOf)));

/** A procedure on one sandbox: a permission that is narrowed to that sandbox is enough. */
export const sandboxProcedure = (...anyOf: RequiredPermission[]) =>
  base
    .meta({ access: 'sandbox', anyOf })
    .use(authenticate())
    .input(z.object({ sandbox_id: Uuid }))
    .use(({ ctx, input, next }) => {
      requirePermission(ctx.caller, anyOf, input.sandbox_id);
      return next();
    });

/** The same for changes that cannot wait for the end of maintenance: its end itself, revocation and recovery. */
export const urgentProcedure = (...anyOf: RequiredPermission[]) =>
  permittedProcedure(...anyOf).meta({ access: 'permitted', anyOf, duringMaintenance: true });

/** For what shows the content of one sandbox. */
export const viewProcedure = sandboxProcedure('sandbox:config:view', 'sandbox:config:edit');

/**
 * A procedure on two sandboxes: `sandbox_id` is the target, into which promoting copies records of the source. The permission for the
 * source is checked before the other fields, as for the target.
 */
export const withSource = (target: typeof viewProcedure) =>
  target.input(z.object({ source_sandbox_id: Uuid })).use(({ ctx, input, next }) => {
    if (permits(ctx.caller.permissions, READ_HISTORY, input.source_sandbox_id)) return next();
    throw new ServiceError('insufficient_permissions', {
      desc: 'The credential does not permit viewing the source sandbox.',
    });
  });

/** A procedure for any verified caller, which decides by itself what the caller may see. */
export const authenticatedProcedure = base.meta({ access: 'authenticated' }).use(authenticate());

/** The same for what a person may ask before the one-time password is changed. */
export const pendingPersonProcedure = base
  .meta({ access: 'authenticated', beforePasswordChange: true })
  .use(authenticate());

/** A procedure for people who are signed in, about their own account. */
export const personProcedure = base
  .meta({ access: 'person' })
  .use(authenticate())
  .use(({ ctx, next }) => {
    const { person } = ctx.caller;
    if (person) return next({ ctx: { person } });
    const desc = 'Only a person who is signed in can do this.';
    throw new ServiceError('insufficient_permissions', { desc });
  });

/** A procedure without a credential; its input must prove by itself what it is allowed. It needs the database as all others do. */
export const publicProcedure = base.meta({ access: 'public' }).use(({ ctx, meta, type, next }) => {
  const { caller } = ctx;
  if (type === 'mutation' && !meta?.duringMaintenance) ctx.refuseChanges();
  if (caller instanceof ServiceError && caller.code === 'service_unavailable') throw caller;
  if (ctx.inputProblem) throw ctx.inputProblem;
  return next();
});

/**
 * For a procedure that waits. The permission is checked again after the wait. Calls of a batch do not wait, since they
 * would delay the responses of the others. `noteCaller` gets the caller as it is after the wait.
 */
export const toLongPoll =
  (
    { batch, longPoll }: Pick<AdminContext, 'batch' | 'longPoll'>,
    anyOf: readonly RequiredPermission[],
    noteCaller?: (caller: Caller) => void,
  ): LongPoll =>
  (wait) => {
    if (batch) return Promise.resolve({ isCut: true });
    return longPoll(wait, (caller) => {
      requirePermission(caller, anyOf);
      noteCaller?.(caller);
    });
  };

type ResolverOptions<Input> = {
  ctx: { actor: Actor; caller: Caller };
  input: Input;
  /** Aborted when the client leaves. */
  signal: AbortSignal | undefined;
};

/** A resolver that calls a service function with the actor. */
export const asActor =
  <Input, Result>(work: (actor: Actor, input: Input) => Result) =>
  ({ ctx, input }: ResolverOptions<Input>): Result =>
    work(ctx.actor, input);

/** The same for services that compare what the caller grants with what the caller holds. */
export const asGrantor =
  <Input, Result>(work: (grantor: Grantor, input: Input) => Result) =>
  ({ ctx, input }: ResolverOptions<Input>): Result =>
    work(toGrantor(ctx), input);

/**
 * The same for changes that a protected sandbox refuses without administrator rights and a confirmation, and that may wait for
 * their turn.
 */
export const asSandboxAuthority =
  <Input extends SandboxInput, Result>(
    work: (
      actor: Actor,
      input: Input,
      authority: SandboxAuthority,
      signal: AbortSignal | undefined,
    ) => Result,
  ) =>
  ({ ctx, input, signal }: ResolverOptions<Input>): Result =>
    work(ctx.actor, input, toSandboxAuthority(ctx.caller, input), signal);

type SandboxInput = { sandbox_id: string; confirm_sandbox_name?: string | undefined };

const toSandboxAuthority = (caller: Caller, input: SandboxInput): SandboxAuthority => ({
  administers: permits(caller.permissions, ['sandbox:*'], input.sandbox_id),
  confirmedName: input.confirm_sandbox_name,
});
