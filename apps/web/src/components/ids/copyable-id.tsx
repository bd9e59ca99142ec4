import { CopyButton, Tooltip, UnstyledButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './copyable-id.module.css';

type CopyableIdProps = {
  id: string;
  /** What it identifies, for the button's name: "item id". */
  label?: string;
  /** Show only the first part; the whole id is copied, and said on hover and focus. */
  short?: boolean;
  /** Show no part of it at all, beside a name. */
  iconOnly?: boolean;
};

const SHORT_LENGTH = 8;

export const CopyableId = ({
  id,
  label = 'id',
  short = false,
  iconOnly = false,
}: CopyableIdProps) => {
  const shown = short || iconOnly ? id.slice(0, SHORT_LENGTH) : id;
  return (
    <CopyButton value={id} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : short || iconOnly ? id : 'Copy'}>
          <UnstyledButton
            className={classes.id}
            data-icon-only={iconOnly || undefined}
            aria-label={`Copy ${label} ${shown}`}
            onClick={(event) => {
              event.stopPropagation();
              event.preventDefault();
              copy();
            }}
          >
            {!iconOnly && <span className={classes.text}>{shown}</span>}
            {copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  );
};
