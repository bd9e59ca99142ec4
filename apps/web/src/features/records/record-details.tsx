import { Box, Flex } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import type { ReactNode } from 'react';
import { CopyableId } from '../../ui/copyable.tsx';
import { Tag } from '../../ui/facts.tsx';
import classes from './record-details.module.css';
import type { RecordFields, RecordKind, StoredItem, StoredXp } from './record-kind.ts';
import { nameItemType, XP } from './record-kind.ts';
import { RecordLink } from './record-links.tsx';
import { useXpName } from './record-queries.ts';

type RecordDetailsProps = { kind: RecordKind; fields: RecordFields };

/** A read-only record: for accounts that may not edit it, for deleted records and for old versions. */
export const RecordDetails = ({ kind, fields }: RecordDetailsProps) => {
  const read = fields as Partial<StoredItem & StoredXp>;
  return (
    <Box component="dl" maw="48rem">
      <Entry label={nameField('name')}>{read.name}</Entry>
      {kind.kind === 'item' && (
        <>
          <Entry label={nameField('item_type')}>
            {read.item_type && nameItemType(read.item_type)}
          </Entry>
          <Entry label={nameField('tags')}>
            {read.tags && read.tags.length > 0 && (
              <Flex component="span" display="inline-flex" wrap="wrap" align="center" gap={4}>
                {read.tags.map((tag) => (
                  <Tag key={tag}>{tag}</Tag>
                ))}
              </Flex>
            )}
          </Entry>
          <Entry label={nameField('level_xp_table_id')}>
            {read.level_xp_table_id && <XpTableLink id={read.level_xp_table_id} />}
          </Entry>
        </>
      )}
      <Entry label={nameField('description')}>{read.description}</Entry>
      {kind.kind === 'xp' && (
        <Entry label={nameField('xp_thresholds')}>
          {read.xp_thresholds && read.xp_thresholds.length > 0 && (
            <Pairs
              label={nameField('xp_thresholds')}
              heads={['Level', 'Xp']}
              rows={read.xp_thresholds.map(({ level, xp }) => [String(level), format(xp)])}
            />
          )}
        </Entry>
      )}
      <Entry label={nameField('custom_data')}>
        {read.custom_data && Object.keys(read.custom_data).length > 0 && (
          <Pairs
            label={nameField('custom_data')}
            heads={['Key', 'Value']}
            rows={Object.entries(read.custom_data)}
          />
        )}
      </Entry>
      <Entry label={nameField(kind.legacyIdField)}>
        {fields[kind.legacyIdField] as number | undefined}
      </Entry>
    </Box>
  );
};

const format = (value: number): string => value.toLocaleString('en');

const Entry = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={classes.entry}>
    <dt>{label}</dt>
    <dd>
      {children || (
        <Box component="span" c="dimmed">
          –
        </Box>
      )}
    </dd>
  </div>
);

const XpTableLink = ({ id }: { id: string }) => (
  <Flex component="span" display="inline-flex" wrap="wrap" align="center" gap={4}>
    <RecordLink kind={XP} id={id} name={useXpName(id)} />
    <CopyableId id={id} label="Xp table id" short />
  </Flex>
);

const Pairs = (props: { label: string; heads: readonly string[]; rows: readonly string[][] }) => (
  // Scrolling content must be reachable by keyboard.
  <Box
    component="section"
    mah="26rem"
    style={{ overflow: 'auto' }}
    tabIndex={0}
    aria-label={props.label}
  >
    <table className={classes.pairs}>
      <thead>
        <tr>
          {props.heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {props.rows.map(([first, second]) => (
          <tr key={first}>
            <td>{first}</td>
            <td>{second}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Box>
);
