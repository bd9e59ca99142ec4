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
import type { Place } from './audit-labels.ts';
import { describeAction, listPlaces, summarizeTarget } from './audit-labels.ts';

export type AuditRecord = ApiOutputs['audit']['list']['records'][number];

/** One record in full, beside the list. */
export const AuditDetails = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const query = useQuery(trpc.audit.get.queryOptions({ audit_id: id }));
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={query.data ? describeAction(query.data.action) : 'Change'}
    >
      <QueryState query={query}>{(record) => <AuditStory record={record} />}</QueryState>
    </Drawer>
  );
};

/** Who, what, before and after, why, and from where. */
const AuditStory = ({ record }: { record: AuditRecord }) => {
  const places = [...listPlaces(record.target, record.sandbox_id)];
  return (
    <Stack gap="lg">
      <Facts facts={listFacts(record)} />
      <section>
        <Title order={2} mb={4}>
          Changed
        </Title>
        <Facts
          facts={[
            ...(record.target_name ? [['Name', record.target_name] as const] : []),
            ...Object.entries(record.target).map(
              ([name, value]) =>
                [nameField(name), <TargetValue key={name} name={name} value={value} />] as const,
            ),
          ]}
        />
        {places.map(([field, place]) => (
          <p key={field}>
            <PlaceLink place={place} />
          </p>
        ))}
      </section>
      {(record.before || record.after) && (
        <section>
          <Title order={2} mb={4}>
            Before and after
          </Title>
          <DiffView
            {...(record.before && { before: explainPermissions(record.before) })}
            {...(record.after && { after: explainPermissions(record.after) })}
          />
        </section>
      )}
    </Stack>
  );
};

/** One permission a line: in words, and by its name, as a key shows them. */
const explainPermissions = (values: Readonly<Record<string, unknown>>): object =>
  Array.isArray(values.permissions)
    ? {
        ...values,
        permissions: values.permissions
          .map((name) => `${describePermission(String(name))} (${name})`)
          .join('\n'),
      }
    : values;

const listFacts = (record: AuditRecord): [string, ReactNode][] => {
  const { account_id, sandbox_id, request_id } = record;
  const facts: [string, ReactNode | undefined][] = [
    ['What', summarizeTarget(record.target, record.target_name)],
    ['Who', <AccountName key="who" id={account_id} />],
    ['When', <TimeText key="when" at={record.occurred_at} form="absolute" />],
    ['Reason', record.reason ?? 'none was given'],
    ['Sandbox', sandbox_id && <SandboxName key="sandbox" id={sandbox_id} />],
    [
      'Procedure',
      <code key="action" className="mono">
        {record.action}
      </code>,
    ],
    ['Request', request_id && <CopyableId key="id" id={request_id} label="request id" />],
    ['Address', record.address],
  ];
  return facts.filter(([, value]) => value !== undefined);
};

/** Leads to the page of what was changed. */
const PlaceLink = ({ place }: { place: Place }) => {
  switch (place.to) {
    case 'item':
      return (
        <Link to="/s/$sandbox/items/$id" params={place} search={{ tab: 'history' }}>
          Open the Item
        </Link>
      );
    case 'xp':
      return (
        <Link to="/s/$sandbox/xp/$id" params={place} search={{ tab: 'history' }}>
          Open the Xp table
        </Link>
      );
    case 'session':
      return (
        <Link to="/sessions/$type/$id" params={place}>
          Open the session
        </Link>
      );
    case 'player':
      return (
        <Link to="/players/$id" params={place}>
          Open the player
        </Link>
      );
    case 'key':
      return (
        <Link to="/keys" search={{ key: place.id }}>
          Open the key
        </Link>
      );
    case 'sandbox':
      return (
        <Link to="/s/$sandbox" params={{ sandbox: place.id }}>
          Open the sandbox
        </Link>
      );
  }
};

/** An id that can be copied, with the name of the account that it may be. */
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
