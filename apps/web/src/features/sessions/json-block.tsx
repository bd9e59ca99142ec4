import { Button, CopyButton } from '@mantine/core';
import classes from './json-block.module.css';

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
    <div className={classes.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls by keyboard as well. */}
      <section className={classes.text} tabIndex={0} aria-label={label}>
        <pre>{text}</pre>
      </section>
      <CopyButton value={text} timeout={1500}>
        {({ copied, copy }) => (
          <Button
            className={classes.copy}
            variant="default"
            size="compact-xs"
            aria-label={`Copy ${label}`}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
};
