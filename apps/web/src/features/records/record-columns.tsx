import { nameField } from '@muster/record-diff';
import { useLayoutEffect, useRef, useState } from 'react';
import { CopyableId } from '../../ui/copyable.tsx';
import { Tag } from '../../ui/facts.tsx';
import type { Columns } from '../../ui/table/table-model.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { TimeText } from '../../ui/time.tsx';
import classes from './record-columns.module.css';
import type { RecordKind, StoredItem, StoredRecord, StoredXp } from './record-kind.ts';
import { ITEM, nameItemType, XP } from './record-kind.ts';
import { RecordLink } from './record-links.tsx';
import { useXpName } from './record-queries.ts';

const ITEM_COLUMNS: Columns<StoredRecord> = {
  item_type: {
    header: nameField('item_type'),
    width: 210,
    cell: (record) => nameItemType((record as StoredItem).item_type),
    sortValue: (record) => (record as StoredItem).item_type,
  },
  tags: {
    header: nameField('tags'),
    width: 200,
    grow: true,
    isOnPhone: false,
    cell: (record) => <RecordTags tags={(record as StoredItem).tags} />,
  },
  levels: {
    header: nameField('level_xp_table_id'),
    width: 180,
    isShown: false,
    cell: (record) => <XpName id={(record as StoredItem).level_xp_table_id} />,
  },
};

const thresholdsOf = (record: StoredRecord) => (record as StoredXp).xp_thresholds;

const XP_COLUMNS: Columns<StoredRecord> = {
  levels: {
    header: nameField('xp_thresholds'),
    width: 90,
    align: 'end',
    cell: (record) => thresholdsOf(record).length,
    sortValue: (record) => thresholdsOf(record).length,
  },
  top: {
    header: 'Highest at',
    width: 130,
    align: 'end',
    isOnPhone: false,
    cell: (record) => formatXp(thresholdsOf(record).at(-1)?.xp),
    sortValue: (record) => thresholdsOf(record).at(-1)?.xp ?? 0,
  },
};

const formatXp = (xp: number | undefined): string =>
  xp === undefined ? '–' : `${xp.toLocaleString('en')} xp`;

const recordColumns = (kind: RecordKind, own: Columns<StoredRecord>) =>
  defineColumns<StoredRecord>({
    name: {
      header: nameField('name'),
      width: 220,
      grow: true,
      cell: (record) => <RecordName kind={kind} record={record} />,
      sortValue: ({ name }) => name,
    },
    ...own,
    description: {
      header: nameField('description'),
      width: 240,
      grow: true,
      isShown: false,
      cell: ({ description }) => description,
    },
    keys: {
      header: nameField('custom_data'),
      width: 160,
      isShown: false,
      cell: ({ custom_data }) => Object.keys(custom_data).join(', '),
    },
    legacy_id: {
      header: nameField(kind.legacyIdField),
      width: 100,
      align: 'end',
      isShown: false,
      cell: (record) =>
        (record as Record<string, unknown>)[kind.legacyIdField] as number | undefined,
    },
    version: {
      header: 'Version',
      width: 90,
      align: 'end',
      isOnPhone: false,
      cell: ({ version }) => version,
      sortValue: ({ version }) => version,
    },
    updated: {
      header: 'Changed',
      width: 145,
      isOnPhone: false,
      cell: ({ updated }) => <TimeText at={updated} />,
      sortValue: ({ updated }) => updated,
    },
    id: {
      header: 'Id',
      isOnPhone: false,
      cell: (record) => <CopyableId id={kind.idOf(record)} label={`${kind.one} id`} short />,
    },
  });

export const RECORD_COLUMNS = {
  item: recordColumns(ITEM, ITEM_COLUMNS),
  xp: recordColumns(XP, XP_COLUMNS),
};

const RecordName = ({ kind, record }: { kind: RecordKind; record: StoredRecord }) => (
  <>
    <RecordLink kind={kind} id={kind.idOf(record)} name={record.name} />{' '}
    {record.deleted && <Tag tone="bad">deleted</Tag>}
  </>
);

/** Loaded only while the column is shown. */
const XpName = ({ id }: { id: string | undefined }) => useXpName(id) || '–';

/** Shows as many whole tags as fit. The others are counted, and listed on hover and focus. */
const RecordTags = ({ tags }: { tags: readonly string[] }) => {
  const ref = useRef<HTMLSpanElement>(null);
  const [{ hidden, gap }, setClipped] = useState(NOTHING);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || tags.length < 2) return setClipped(NOTHING);
    const recount = () => setClipped((old) => keepSame(old, measure(element)));
    recount();
    const sizes = new ResizeObserver(recount);
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [tags]);
  return (
    <span className={classes.frame}>
      <span className={classes.tags} ref={ref}>
        {tags.map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
      </span>
      {hidden > 0 && <More tags={tags.slice(-hidden)} gap={gap} />}
    </span>
  );
};

/** Placed beside the last visible tag without changing the space for tags. */
const More = ({ tags, gap }: { tags: readonly string[]; gap: number }) => {
  const style = { transform: `translateX(${-gap}px)` };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need access to the hidden tags.
    <span className={classes.more} style={style} data-hint={tags.join(', ')} tabIndex={0}>
      +{tags.length}
    </span>
  );
};

/** The number of hidden tags, and the free pixels behind the last visible one. */
type Clipped = { hidden: number; gap: number };
const NOTHING: Clipped = { hidden: 0, gap: 0 };

const keepSame = (old: Clipped, next: Clipped): Clipped =>
  old.hidden === next.hidden && old.gap === next.gap ? old : next;

/** Tags that do not fit wrap into a second line, which is hidden. */
const measure = (element: HTMLElement): Clipped => {
  const tags = [...element.children] as HTMLElement[];
  const shown = tags.filter(({ offsetTop }) => offsetTop === tags[0]?.offsetTop);
  const last = shown.at(-1);
  if (!last || shown.length === tags.length) return NOTHING;
  const end = last.offsetLeft + last.offsetWidth;
  const gap = element.offsetLeft + element.offsetWidth - end;
  return { hidden: tags.length - shown.length, gap: Math.max(0, Math.round(gap)) };
};
