import { useEffect, useRef } from 'react';
import classes from './palette.module.css';
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts';

export const toOptionId = ({ id }: PaletteEntry): string => `palette-${id.replace(/[^\w-]/g, '_')}`;

type PaletteListProps = {
  id: string;
  groups: readonly PaletteGroup[];
  active: PaletteEntry | undefined;
  onRun: (entry: PaletteEntry) => void;
};

/** The focus stays in the field: options are pointed at, and clicked. */
export const PaletteList = ({ id, groups, active, onRun }: PaletteListProps) => {
  const list = useRef<HTMLDivElement>(null);
  const activeId = active?.id;
  useEffect(() => {
    if (activeId === undefined) return;
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <div
      className={classes.list}
      id={id}
      role="listbox"
      aria-label="Found"
      ref={list}
      tabIndex={-1}
    >
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options by this role.
        <div key={title} role="group" aria-label={title}>
          <p className={classes.title} role="presentation">
            {title}
          </p>
          {entries.map((entry) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the field.
            <div
              key={entry.id}
              id={toOptionId(entry)}
              className={classes.option}
              role="option"
              aria-selected={entry.id === activeId}
              tabIndex={-1}
              onClick={() => onRun(entry)}
            >
              <span className={classes.label}>{entry.label}</span>
              {entry.hint && <span className={classes.hint}>{entry.hint}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
};
