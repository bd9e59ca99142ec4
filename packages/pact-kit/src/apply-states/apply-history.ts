// Writes the versions of a record that a state asks for, one edit after the other.
import type { HistoryOperation } from '@muster/contract';
import type { ItemStateParameters, XpStateParameters } from '../provider-states/index.ts';
import type { Answer } from './service-client.ts';
import { KIT_ACCOUNT, StateError } from './service-client.ts';
import type { StateContext } from './state-context.ts';

const MAX_DESCRIPTION_LENGTH = 4096;

export const applyItemVersions = (
  { sandbox_id, item_id, versions, account_id, ...fields }: ItemStateParameters,
  context: StateContext,
): Promise<void> =>
  writeVersions(
    { router: 'items', id: { item_id }, fields, sandboxId: sandbox_id, versions, account_id },
    context,
  );

export const applyXpVersions = (
  { sandbox_id, xp_id, versions, account_id, ...fields }: XpStateParameters,
  context: StateContext,
): Promise<void> =>
  writeVersions(
    { router: 'xp', id: { xp_id }, fields, sandboxId: sandbox_id, versions, account_id },
    context,
  );

type RecordPlan = {
  router: 'items' | 'xp';
  id: Record<string, string>;
  fields: { name: string; description?: string | undefined };
  sandboxId: string;
  versions: number | HistoryOperation[];
  account_id?: string | undefined;
};

type Version = { versionId: string; description: string | undefined };

const writeVersions = async (plan: RecordPlan, context: StateContext): Promise<void> => {
  const sandbox_id = await makeSandbox(plan.sandboxId, context);
  const accountId = plan.account_id ?? KIT_ACCOUNT;
  const call = (operation: string, input: object) =>
    context.service.change(
      `${plan.router}.${operation}`,
      { sandbox_id, ...plan.id, ...input },
      accountId,
    );
  const history: Version[] = [];
  let current = await call('create', plan.fields);
  history.push(toVersion(current));
  for (const operation of operationsOf(plan.versions).slice(1)) {
    const input = describeEdit(operation, current, history, plan);
    current = await call(operation, { ...input, expected_version: current.version });
    history.push(toVersion(current));
  }
};

const makeSandbox = async (id: string, context: StateContext): Promise<string> => {
  const sandbox_id = context.aliases.uuid(id);
  if (context.sandboxes.has(sandbox_id)) return sandbox_id;
  context.sandboxes.add(sandbox_id);
  await context.service.change('sandboxes.create', { name: 'Pact verification', sandbox_id });
  return sandbox_id;
};

const operationsOf = (versions: number | HistoryOperation[]): readonly HistoryOperation[] =>
  typeof versions === 'number'
    ? Array.from({ length: versions }, (_, index) => (index === 0 ? 'insert' : 'update'))
    : versions;

const toVersion = (answer: Answer): Version => ({
  versionId: String(answer.version_id),
  description: answer.description === undefined ? undefined : String(answer.description),
});

const describeEdit = (
  operation: HistoryOperation,
  current: Answer,
  history: readonly Version[],
  { fields }: RecordPlan,
): object => {
  if (operation === 'update') {
    const edit = ` (edit ${history.length})`;
    const text = fields.description ?? fields.name;
    return { description: text.slice(0, MAX_DESCRIPTION_LENGTH - edit.length) + edit };
  }
  if (operation !== 'restore' || current.deleted === true) return {};
  return { version_id: findEarlier(current, history).versionId };
};

/** A restore to what the record is already would write nothing. */
const findEarlier = (current: Answer, history: readonly Version[]): Version => {
  const { description } = toVersion(current);
  const earlier = history.findLast((version) => version.description !== description);
  if (earlier) return earlier;
  throw new StateError('a restore has no earlier version to return to');
};
