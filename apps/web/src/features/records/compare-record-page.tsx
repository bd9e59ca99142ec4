// Any two versions of a record, field by field. Both version ids are in the URL.
import { ActionIcon, Button, Group, Select, Tooltip } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/client.ts';
import { timeZone } from '../../api/preferences.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { formatAbsolute } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, QueryState } from '../../ui/states.tsx';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { ListLink, RecordLink } from './record-links.tsx';
import { recordOptions, useRecordId } from './record-queries.ts';
import type { Version } from './version-columns.tsx';

export const CompareRecordPage = ({ kind }: { kind: RecordKind }) => {
  const sandbox = useSandboxId();
  const id = useRecordId();
  const record = useQuery(recordOptions(kind, sandbox, id));
  const name = record.data?.name;
  return (
    <Page
      title={name ? `Compare versions of ${name}` : 'Compare versions'}
      above={
        <>
          <ListLink kind={kind} /> › <RecordLink kind={kind} id={id} name={name ?? kind.one} />
        </>
      }
    >
      <QueryState query={record}>
        {(stored) => <Comparison kind={kind} stored={stored} recordId={id} />}
      </QueryState>
    </Page>
  );
};

type ComparisonProps = { kind: RecordKind; stored: StoredRecord; recordId: string };

const Comparison = ({ kind, stored, recordId }: ComparisonProps) => {
  const values = useUrlValues();
  const change = useUrlChange();
  const to = (values.to as string | undefined) ?? stored.version_id;
  const named = values.from as string | undefined;
  const diff = useQuery({
    ...trpc.versions.diff.queryOptions({
      sandbox_id: useSandboxId(),
      from_version_id: named,
      to_version_id: to,
    }),
    placeholderData: keepPreviousData,
  });
  const from = named ?? diff.data?.from?.version_id;
  const place = { kind, recordId };
  return (
    <>
      <Group gap="sm" align="flex-end">
        <VersionSelect
          {...place}
          label="From"
          value={from}
          onChange={(version) => change({ from: version, to })}
        />
        <Tooltip label="Swap the versions">
          <ActionIcon
            size={30}
            aria-label="Swap the versions"
            disabled={!from}
            onClick={() => change({ from: to, to: from })}
          >
            <Icon name="arrows-left-right" size={17} />
          </ActionIcon>
        </Tooltip>
        <VersionSelect
          {...place}
          label="To"
          value={to}
          onChange={(version) => change({ to: version, from })}
        />
        {(values.from !== undefined || values.to !== undefined) && (
          <Button variant="subtle" onClick={() => change({ from: undefined, to: undefined })}>
            Previous and current
          </Button>
        )}
      </Group>
      <QueryState query={diff}>
        {({ changes, from: before }) =>
          before || named ? (
            <DiffView changes={changes} />
          ) : (
            <>
              <EmptyState title="This is the first version">
                There is no earlier version to compare with; this is how it began.
              </EmptyState>
              <DiffView changes={changes} />
            </>
          )
        }
      </QueryState>
    </>
  );
};

type VersionSelectProps = {
  kind: RecordKind;
  recordId: string;
  label: string;
  value: string | undefined;
  onChange: (versionId: string) => void;
};

/** The history lists all versions and can select older ones. */
const MAX_CHOICES = 200;

/** Selects one side of the comparison. Offers the newest versions, and the selected one if it is older. */
const VersionSelect = (props: VersionSelectProps) => {
  const { kind, recordId, label, value, onChange } = props;
  const zone = timeZone.use();
  const place = { sandbox_id: useSandboxId() };
  const newest = useQuery(
    trpc.versions.list.queryOptions({
      ...place,
      kind: kind.kind,
      record_id: recordId,
      page_size: MAX_CHOICES,
    }),
  );
  const listed: readonly Version[] = newest.data?.versions ?? [];
  const isListed = listed.some(({ version_id }) => version_id === value);
  const chosen = useQuery({
    ...trpc.versions.get.queryOptions({ ...place, version_id: value ?? '' }),
    enabled: value !== undefined && newest.data !== undefined && !isListed,
  });
  const all = chosen.data && !isListed ? [...listed, chosen.data] : listed;
  return (
    <Select
      label={label}
      w={370}
      maw="100%"
      searchable
      placeholder="A version"
      nothingFoundMessage="No such version"
      data={all.map((version) => {
        const when = formatAbsolute(new Date(version.issued_at), zone);
        return { value: version.version_id, label: `Version ${version.version} · ${when}` };
      })}
      value={value ?? null}
      onChange={(versionId) => versionId && onChange(versionId)}
    />
  );
};
