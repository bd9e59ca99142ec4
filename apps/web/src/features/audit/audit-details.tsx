import { Drawer, Stack, Title } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { trpc } from '../../api/client.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Facts } from '../../ui/facts.tsx';
import { describePermission } from '../../ui/permission-labels.ts';
import { QueryState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import { SandboxName } from '../accounts/sandbox-scope.tsx';
import { describeAction, isText, summarizeTarget } from './audit-labels.ts';

export type AuditRecord = ApiOutputs['audit']['list']['records'][number];

/** All details of one audit record, beside the list. */
export const AuditDetails = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const query = useQuery(trpc.audit.get.queryOptions({ audit_id: id }));
  return (
    <Drawer
      opened
      onClose={onClose}
      size="lg"
      title={query.data ? describeAction(query.data.action) : 'Change'}
    >
      <QueryState query={query}>{(record) => <AuditStory record={record} />}</QueryState>
    </Drawer>
  );
};

/** The account, the action, the state before and after, the reason and the origin. */
const AuditStory = ({ record }: { record: AuditRecord }) => (
  <Stack gap="lg">
    <Facts facts={readFacts(record)} />
    <section>
      <Title order={2} mb={4}>
        Changed
      </Title>
      <Facts facts={readTarget(record)} />
      <PlaceLinks record={record} />
    </section>
    {(record.before || record.after) && (
      <section>
        <Title order={2} mb={4}>
          Before and after
        </Title>
        <DiffView
          before={record.before ? explainPermissions(record.before) : undefined}
          after={record.after ? explainPermissions(record.after) : undefined}
        />
      </section>
    )}
  </Stack>
);

/** One permission per line, in words and by its name, as the details of a key show it. */
const explainPermissions = (values: Readonly<Record<string, unknown>>): object =>
  Array.isArray(values.permissions)
    ? {
        ...values,
        permissions: values.permissions
          .map((name) => `${describePermission(String(name))} (${name})`)
          .join('\n'),
      }
    : values;

const readFacts = (record: AuditRecord): Record<string, ReactNode> => {
  const { account_id, sandbox_id, request_id } = record;
  return {
    What: summarizeTarget(record.target, record.target_name),
    Who: <AccountName id={account_id} />,
    When: <TimeText at={record.occurred_at} form="absolute" />,
    Reason: record.reason ?? 'none was given',
    Sandbox: sandbox_id && <SandboxName id={sandbox_id} />,
    Procedure: <code className="mono">{record.action}</code>,
    Request: request_id && <CopyableId id={request_id} label="request id" />,
    Address: record.address,
  };
};

const readTarget = ({ target, target_name }: AuditRecord): Record<string, ReactNode> => ({
  Name: target_name ?? undefined,
  ...Object.fromEntries(
    Object.entries(target).map(([name, value]) => [
      nameField(name),
      <TargetValue key={name} name={name} value={value} />,
    ]),
  ),
});

/** Links to the pages of the changed resources, built from the ids in the target. */
const PlaceLinks = ({ record }: { record: AuditRecord }) => {
  const { item_id, xp_id, type, session_id, player_uuid, key_id, sandbox_id } = record.target;
  const sandbox = record.sandbox_id ?? (isText(sandbox_id) ? sandbox_id : undefined);
  const links = [
    sandbox && isText(item_id) && (
      <Link to="/s/$sandbox/items/$id" params={{ sandbox, id: item_id }} search={HISTORY}>
        Open the Item
      </Link>
    ),
    sandbox && isText(xp_id) && (
      <Link to="/s/$sandbox/xp/$id" params={{ sandbox, id: xp_id }} search={HISTORY}>
        Open the Xp table
      </Link>
    ),
    isText(type) && isText(session_id) && (
      <Link to="/sessions/$type/$id" params={{ type, id: session_id }}>
        Open the session
      </Link>
    ),
    isText(player_uuid) && (
      <Link to="/players/$id" params={{ id: player_uuid }}>
        Open the player
      </Link>
    ),
    isText(key_id) && (
      <Link to="/keys" search={{ key: key_id }}>
        Open the key
      </Link>
    ),
    isText(sandbox_id) && (
      <Link to="/s/$sandbox" params={{ sandbox: sandbox_id }}>
        Open the sandbox
      </Link>
    ),
  ];
  // biome-ignore lint/suspicious/noArrayIndexKey: the positions of the links never change.
  return links.map((link, index) => link && <p key={index}>{link}</p>);
};

const HISTORY = { tab: 'history' } as const;

/** An id that can be copied, with the account's name if it is the id of an account. */
const TargetValue = ({ name, value }: { name: string; value: unknown }) => {
  if (typeof value !== 'string') return <code className="mono">{JSON.stringify(value)}</code>;
  if (name === 'sandbox_id') {
    return (
      <>
        <SandboxName id={value} /> <CopyableId id={value} label="sandbox id" short />
      </>
    );
  }
  if (name !== 'account_id') return <CopyableId id={value} label={nameField(name)} />;
  return (
    <>
      <AccountName id={value} /> <CopyableId id={value} label="account id" short />
    </>
  );
};
