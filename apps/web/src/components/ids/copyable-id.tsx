import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import classes from './copyable-id.module.css';
import { shortenId } from './shorten-id.ts';

type CopyableIdProps = {
  id: string;
  /** What it identifies, for the button's name: "item id". */
  label?: string;
  /** Show only the part that tells it from others; the whole id is copied, and said on hover and focus. */
  short?: boolean;
  /** Show no part of it at all, beside a name. */
  iconOnly?: boolean;
};

const COPIED_MS = 1500;

export const CopyableId = ({
  id,
  label = 'id',
  short = false,
  iconOnly = false,
}: CopyableIdProps) => {
  const { copied, copy } = useClipboard({ timeout: COPIED_MS });
  const shown = short || iconOnly ? shortenId(id) : id;
  const onClick = (event: MouseEvent) => {
    event.stopPropagation();
    event.preventDefault();
    copy(id);
  };
  return (
    <button
      type="button"
      className={classes.id}
      data-icon-only={iconOnly || undefined}
      data-hint={(copied && 'Copied') || (shown === id && !iconOnly ? 'Copy' : id)}
      aria-label={`Copy ${label} ${shown}`}
      onClick={onClick}
    >
      {!iconOnly && <span className={classes.text}>{shown}</span>}
      {copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
    </button>
  );
};
