import { ChevronDown, ChevronRight } from 'lucide-react';
import { type CSSProperties, type ReactNode, useId, useState } from 'react';
import type { BlockOf } from '../../api/types.ts';
import styles from './blocks.module.css';
import { IconPicture } from './picture.tsx';
import { RichTextTitle } from './rich-text.tsx';
import { plainOf, Words } from './words.tsx';

/** Blocks under a title, which may fold them. */
export function Container({ block, children }: { block: BlockOf<'container'>; children: ReactNode }) {
  const { title, rich_text_title, subtitle, icon, color, width, is_collapsible, default_collapsed } = block;
  const content = useId();
  const [isFolded, fold] = useState(default_collapsed === true);
  const name = rich_text_title ? <RichTextTitle text={rich_text_title} /> : title && plainOf(title);
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  const edge = color?.startsWith('#') ? { style: { '--edge': color } as CSSProperties } : {};
  const hasHead = name !== undefined || subtitle !== undefined || icon !== undefined;
  return (
    <div
      className={styles.container}
      data-width={width}
      data-edge={color && (edge.style ? 'own' : color)}
      {...edge}
    >
      {hasHead && (
        <div className={styles.containerHead} data-divided={block.has_header_divider === true && !isFolded}>
          {icon && <IconPicture image={icon} size="large" />}
          <div className={styles.said}>
            {name !== undefined && (
              <h2 className={styles.title} dir="auto">
                {is_collapsible ? (
                  <button
                    type="button"
                    className={styles.fold}
                    aria-expanded={!isFolded}
                    aria-controls={content}
                    onClick={() => fold(!isFolded)}
                  >
                    <Chevron size={18} aria-hidden />
                    <span>{name}</span>
                  </button>
                ) : (
                  name
                )}
              </h2>
            )}
            {subtitle && (
              <div className={styles.soft}>
                <Words text={subtitle} />
              </div>
            )}
          </div>
        </div>
      )}
      <div id={content} className={styles.content} hidden={isFolded}>
        {children}
      </div>
    </div>
  );
}
