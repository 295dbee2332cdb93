import { useRouter } from '@tanstack/react-router';
import { type ReactNode, type Ref, useState } from 'react';
import styles from './view.module.css';

/** A view that fills the window: its head stays in place, and its content scrolls. */
export function View(props: {
  head: ReactNode;
  /** Has columns beside each other. */
  wide?: boolean;
  /** Takes the focus itself, to be scrolled with the keyboard: nothing in it may do so (WCAG 2.1.1). */
  plain?: boolean;
  children: ReactNode;
}) {
  const { head, wide = false, plain = false, children } = props;
  const { latestLocation } = useRouter();
  // The router gives the place of a scroller to one of the same name in the next view.
  const [place] = useState(latestLocation.pathname);
  return (
    <div className={styles.view}>
      {head}
      <div
        className={styles.scroll}
        {...(plain && { tabIndex: 0 })}
        data-scrolls
        data-scroll-restoration-id={place}
      >
        <div className={`${styles.content} ${wide ? styles.wide : ''}`}>{children}</div>
      </div>
    </div>
  );
}

/**
 * The head of a view that fills the window. Tabs may follow.
 * @param props.children the view's actions
 * @param props.beside whether the view stands beside another one, whose title is the page's
 * @param props.heading for views that move the focus to their title
 */
export function ViewHead(props: {
  title: string;
  icon?: ReactNode;
  about?: ReactNode;
  beside?: boolean;
  heading?: Ref<HTMLHeadingElement>;
  children?: ReactNode;
}) {
  const { title, icon, about, beside = false, heading, children } = props;
  const Title = beside ? 'h2' : 'h1';
  return (
    <header className={styles.head}>
      {icon}
      <div className={styles.title}>
        {/* A name that is cut is cut at its own end. */}
        <Title ref={heading} {...(heading && { tabIndex: -1 })} {...(!beside && { dir: 'auto' })}>
          {beside ? <bdi>{title}</bdi> : title}
        </Title>
        {about && <p className={styles.about}>{about}</p>}
      </div>
      {children}
    </header>
  );
}
