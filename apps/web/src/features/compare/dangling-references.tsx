// Items that would reference Xp tables that the target does not have, and the choices for them.

import { Alert, Button, Checkbox, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { CopyableId } from '../../ui/copyable.tsx';
import type { Comparison, DanglingReference, ReferenceChoice } from './comparison.ts';
import { countOf, decideReferences } from './comparison.ts';
import classes from './differences.module.css';

type DanglingReferencesProps = {
  comparison: Comparison;
  /** The records that the user selected for promotion. */
  ids: readonly string[];
  references: readonly DanglingReference[];
  choice: ReferenceChoice;
  onChoose: (choice: ReferenceChoice) => void;
  onLeaveOut: (ids: ReadonlySet<string>) => void;
};

export const DanglingReferences = (props: DanglingReferencesProps) => {
  const { comparison, ids, references, choice, onChoose, onLeaveOut } = props;
  const { target, kind } = comparison;
  const { left, key, isAccepted } = decideReferences(references, choice);
  const coming = references.filter(({ can_include }) => can_include);
  const stuck = references.filter(({ can_include }) => !can_include);
  const blocked = new Set(stuck.flatMap((each) => listRecords(each, kind)));
  const canLeaveOut = blocked.size > 0 && ids.some((id) => !blocked.has(id));
  return (
    <Alert
      classNames={{ body: classes.decision, message: classes.choices }}
      color="yellow"
      role="group"
      title={titleOf(comparison, references.length)}
    >
      {coming.length > 0 && (
        <>
          <ReferenceList comparison={comparison} references={coming} />
          <Checkbox
            label={`Include ${theTables(coming.length)}`}
            description={`Written to ${target.name} in the same change, before the Items.`}
            checked={choice.includesReferenced}
            onChange={(event) =>
              onChoose({ ...choice, includesReferenced: event.currentTarget.checked })
            }
          />
        </>
      )}
      {stuck.length > 0 && (
        <>
          {kind === 'item' && <p>{countOf('xp', stuck.length)} cannot be promoted with them:</p>}
          <ReferenceList comparison={comparison} references={stuck} />
        </>
      )}
      {canLeaveOut && (
        <Button variant="default" onClick={() => onLeaveOut(blocked)}>
          Leave {countOf(kind, blocked.size)} out
        </Button>
      )}
      {left.length > 0 && (
        <Checkbox
          label={acceptanceOf(comparison, left.length)}
          description={`Items in ${target.name} will then use ${left.length === 1 ? 'an Xp table' : 'Xp tables'} that it does not have.`}
          checked={isAccepted}
          onChange={(event) =>
            onChoose({ ...choice, accepted: event.currentTarget.checked ? key : '' })
          }
        />
      )}
    </Alert>
  );
};

const titleOf = ({ target, kind }: Comparison, count: number): string => {
  const tables = countOf('xp', count);
  if (kind === 'xp') return `Items in ${target.name} still use ${tables} to be deleted`;
  const are = count === 1 ? 'is' : 'are';
  return `These Items use ${tables} that ${are} not in ${target.name}`;
};

const theTables = (count: number): string =>
  count === 1 ? 'the Xp table' : `the ${countOf('xp', count)}`;

const acceptanceOf = ({ kind }: Comparison, count: number): string =>
  kind === 'xp' ? `Delete ${theTables(count)} anyway` : `Promote without ${theTables(count)}`;

/** The records that would be left out. */
const listRecords = ({ xp_id, items }: DanglingReference, kind: Comparison['kind']): string[] =>
  kind === 'xp' ? [xp_id] : items.map(({ item_id }) => item_id);

type ReferenceListProps = { comparison: Comparison; references: readonly DanglingReference[] };

const ReferenceList = ({ comparison, references }: ReferenceListProps) => {
  const { shown, toggle } = useFirst(references, 20);
  return (
    <>
      <ul className={classes.references}>
        {shown.map((reference) => (
          <li key={reference.xp_id}>
            <Reference comparison={comparison} reference={reference} />
          </li>
        ))}
      </ul>
      {toggle && (
        <p>
          <Toggle {...toggle} words={`Show all ${countOf('xp', references.length)}`} />
        </p>
      )}
    </>
  );
};

type ReferenceProps = { comparison: Comparison; reference: DanglingReference };

/** The Xp table, the Items that reference it, and the reason why it cannot be promoted. */
const Reference = ({ comparison, reference }: ReferenceProps) => {
  const { source, target, kind } = comparison;
  const { xp_id, name, in_source, desc, items, more_items } = reference;
  const { shown, toggle } = useFirst(items, 3);
  const isInSource = kind === 'item' && in_source;
  const sandbox = (isInSource ? source : target).sandbox_id;
  const naming = (kind === 'item' ? source : target).sandbox_id;
  const others = (items.length - 3).toLocaleString('en');
  return (
    <>
      {name === undefined ? (
        <CopyableId id={xp_id} label="Xp table id" short />
      ) : (
        <Link to="/s/$sandbox/xp/$id" params={{ sandbox, id: xp_id }}>
          {name}
        </Link>
      )}
      , used by{' '}
      {shown.map((item, index) => (
        <span key={item.item_id}>
          {index > 0 && ', '}
          <Link to="/s/$sandbox/items/$id" params={{ sandbox: naming, id: item.item_id }}>
            {item.name}
          </Link>
        </span>
      ))}
      {toggle && (
        <>
          {' '}
          <Toggle {...toggle} words={`and ${more_items ? `more than ${others}` : others} more`} />
        </>
      )}
      {!toggle && more_items && ' and more'}.{kind === 'item' && desc && ` ${desc}`}
    </>
  );
};

/** The first entries of a list, with a button that shows all of them. */
const useFirst = <Each,>(all: readonly Each[], limit: number) => {
  const [isWhole, setWhole] = useState(false);
  return {
    shown: isWhole ? all : all.slice(0, limit),
    toggle: all.length > limit ? { isWhole, onToggle: () => setWhole(!isWhole) } : undefined,
  };
};

type ToggleProps = { isWhole: boolean; onToggle: () => void; words: string };

const Toggle = ({ isWhole, onToggle, words }: ToggleProps) => (
  <UnstyledButton className={classes.more} aria-expanded={isWhole} onClick={onToggle}>
    {isWhole ? 'Show fewer' : words}
  </UnstyledButton>
);
