import { useId } from 'react';
import type { BlockOf } from '../../api/types.ts';
import { ActStatus } from './act-status.tsx';
import styles from './blocks.module.css';
import { BlockIdProvider } from './context.ts';
import { ElementOf } from './element.tsx';
import { IconPicture, Picture } from './picture.tsx';
import { Words } from './words.tsx';

export function Card({ card }: { card: BlockOf<'card'> }) {
  const id = useId();
  const { hero_image, icon, title, subtitle, body, actions } = card;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div className={styles.card} role="group" {...(title && { 'aria-labelledby': id })}>
      {hero_image && <Picture image={hero_image} />}
      {(icon || title || subtitle) && (
        <div className={styles.cardHead}>
          {icon && <IconPicture image={icon} size="large" />}
          <div className={styles.said}>
            {title && (
              <div id={id} className={styles.title}>
                <Words text={title} />
              </div>
            )}
            {subtitle && (
              <div className={styles.soft}>
                <Words text={subtitle} />
              </div>
            )}
          </div>
        </div>
      )}
      {body && <Words text={body} />}
      {actions && (
        <div className={styles.foot}>
          <div className={styles.actions}>
            {actions.map((button) => (
              <ElementOf key={button.action_id} element={button} />
            ))}
          </div>
          <ActStatus />
        </div>
      )}
    </div>
  );
}

/** Cards beside each other, as many as the line holds: nothing is out of sight. */
export function Carousel({ block }: { block: BlockOf<'carousel'> }) {
  return (
    <ul className={styles.carousel}>
      {block.elements.map((card) => (
        <li key={card.block_id}>
          <BlockIdProvider value={card.block_id ?? ''}>
            <Card card={card} />
          </BlockIdProvider>
        </li>
      ))}
    </ul>
  );
}
