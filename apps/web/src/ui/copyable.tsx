import { Box, Button, CopyButton, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { MouseEvent } from 'react';
import classes from './copyable.module.css';
import { Icon } from './icons.tsx';
import { shortenId } from './ids.ts';

type CopyableIdProps = {
  id: string;
  /** What it identifies, for the button's name: "item id". */
  label?: string;
  /** Show only the part that tells it from others; the whole id is copied, and shown on hover and focus. */
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
      {!iconOnly && <span className="ellipsis">{shown}</span>}
      <Icon name={copied ? 'check' : 'copy'} size={12} />
    </button>
  );
};

type CopyTextProps = {
  /** What it is, for the name of the button: "JSON". */
  label: string;
  text: string;
};

/** Copies a text that stands elsewhere on the page. */
export const CopyText = ({ label, text }: CopyTextProps) => (
  <CopyButton value={text}>
    {({ copied, copy }) => (
      <Button variant="default" onClick={copy}>
        {copied ? 'Copied' : `Copy ${label}`}
      </Button>
    )}
  </CopyButton>
);

type SecretBoxProps = {
  /** What it is, for the name of the button: "key". */
  label: string;
  secret: string;
};

/** Something that is shown once, with a button that copies it. */
export const SecretBox = ({ label, secret }: SecretBoxProps) => (
  <Group gap={8} p={8} bd="1px solid var(--muster-line)" bdrs={6} bg="var(--muster-panel)">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long values scroll, also for the keyboard. */}
    <code className={classes.secret} tabIndex={0}>
      {secret}
    </code>
    <CopyButton value={secret} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          data-autofocus
          leftSection={<Icon name={copied ? 'check' : 'copy'} size={14} />}
          onClick={copy}
        >
          {copied ? 'Copied' : `Copy ${label}`}
        </Button>
      )}
    </CopyButton>
  </Group>
);

type JsonBlockProps = {
  /** What it is, for the copy button's name: "request". */
  label: string;
  /** Text as it is, or a value to be written as JSON. */
  value: unknown;
};

/** Text for machines, to read and to copy. */
export const JsonBlock = ({ label, value }: JsonBlockProps) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <Box pos="relative" miw={0}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by keyboard as well. */}
      <section className={classes.jsonBlockText} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <CopyButton value={text} timeout={1500}>
        {({ copied, copy }) => (
          <Button
            pos="absolute"
            top={6}
            right={14}
            variant="default"
            size="compact-xs"
            aria-label={`Copy ${label}`}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Box>
  );
};
