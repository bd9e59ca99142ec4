import { useLayoutEffect, useRef, useState } from 'react';
import { Tag } from '../../../components/tag/tag.tsx';
import classes from './record-tags.module.css';

/** As many whole tags as there is room for; the others are counted, and told on hover and focus. */
export const RecordTags = ({ tags }: { tags: readonly string[] }) => {
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

/** Beside the last tag in sight, without changing the room that there is for tags. */
const More = ({ tags, gap }: { tags: readonly string[]; gap: number }) => {
  const style = { transform: `translateX(${-gap}px)` };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is hidden is also for the keyboard.
    <span className={classes.more} style={style} data-hint={tags.join(', ')} tabIndex={0}>
      +{tags.length}
    </span>
  );
};

/** How many tags are out of sight, and the pixels that stay free behind the last one in sight. */
type Clipped = { hidden: number; gap: number };
const NOTHING: Clipped = { hidden: 0, gap: 0 };

const keepSame = (old: Clipped, next: Clipped): Clipped =>
  old.hidden === next.hidden && old.gap === next.gap ? old : next;

/** What has no room wraps into a second line, which is out of sight. */
const measure = (element: HTMLElement): Clipped => {
  const tags = [...element.children] as HTMLElement[];
  const shown = tags.filter(({ offsetTop }) => offsetTop === tags[0]?.offsetTop);
  const last = shown.at(-1);
  if (!last || shown.length === tags.length) return NOTHING;
  const end = last.offsetLeft + last.offsetWidth;
  const gap = element.offsetLeft + element.offsetWidth - end;
  return { hidden: tags.length - shown.length, gap: Math.max(0, Math.round(gap)) };
};
