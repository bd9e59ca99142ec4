import { Stack, Title } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import type { ReactNode } from 'react';
import { AccountName } from '../../components/accounts/account-name.tsx';
import { DiffView } from '../../components/diff/diff-view.tsx';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { Facts } from '../../features/accounts/facts.tsx';
import type { AuditRecord } from './audit-columns.tsx';
import { PlaceLink } from './place-link.tsx';
import { listPlaces, summarizeTarget } from './read-target.ts';
import { SandboxName } from './sandbox-name.tsx';
import { TargetValue } from './target-value.tsx';

/** Who, what, before and after, why, and from where. */
export const AuditStory = ({ record }: { record: AuditRecord }) => {
  const places = [...listPlaces(record.target, record.sandbox_id)];
  return (
    <Stack gap="lg">
      <Facts facts={listFacts(record)} />
      <section>
        <Title order={2} mb={4}>
          Changed
        </Title>
        <Facts
          facts={Object.entries(record.target).map(([name, value]) => [
            nameField(name),
            <TargetValue key={name} name={name} value={value} />,
          ])}
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
            {...(record.before && { before: record.before })}
            {...(record.after && { after: record.after })}
          />
        </section>
      )}
    </Stack>
  );
};

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
