import { useLayoutEffect, useRef, useState } from 'react';
import { Tag } from '../../../components/tag/tag.tsx';
import classes from './record-tags.module.css';

/** As many whole tags as there is room for; the others are counted, and told on hover and focus. */
export const RecordTags = ({ tags }: { tags: readonly string[] }) => {
  const ref = useRef<HTMLSpanElement>(null);
  const [hidden, setHidden] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || tags.length < 2) return setHidden(0);
    const recount = () => setHidden(countHidden(element));
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
      {hidden > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is hidden is also for the keyboard.
        <span className={classes.more} data-hint={tags.slice(-hidden).join(', ')} tabIndex={0}>
          +{hidden}
        </span>
      )}
    </span>
  );
};

/** What has no room wraps into a second line, which is out of sight. */
const countHidden = ({ children }: HTMLElement): number => {
  const [first, ...others] = [...children] as HTMLElement[];
  if (!first) return 0;
  return others.filter((each) => each.offsetTop > first.offsetTop).length;
};
