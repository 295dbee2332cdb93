import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react';
import { onDemand } from './on-demand.tsx';

let parts: typeof import('./menu-popup.tsx') | undefined;

/** An open menu at its button, which gets the focus back. */
export const MenuAt = onDemand(async () => {
  parts = await import('./menu-popup.tsx');
  return parts.Popup;
});

// They stand in an open menu, whose code is there by then.
export const MenuItem = (props: ComponentProps<typeof import('./menu-popup.tsx').Item>) =>
  parts && <parts.Item {...props} />;
export const MenuChoices = <Value extends string>(
  props: ComponentProps<typeof import('./menu-popup.tsx').Choices<Value>>,
) => parts && <parts.Choices {...props} />;
export const MenuTitled = (props: ComponentProps<typeof import('./menu-popup.tsx').Titled>) =>
  parts && <parts.Titled {...props} />;
export const MenuRow = (props: ComponentProps<typeof import('./menu-popup.tsx').Row>) =>
  parts && <parts.Row {...props} />;
export const MenuRowItem = (props: ComponentProps<typeof import('./menu-popup.tsx').RowItem>) =>
  parts && <parts.RowItem {...props} />;
export const SubMenu = (props: ComponentProps<typeof import('./menu-popup.tsx').Sub>) =>
  parts && <parts.Sub {...props} />;
export const MenuSeparator = () => parts && <parts.Separator />;

/** @param props.trigger the button that opens it */
export function Menu(props: { trigger: ReactElement<Record<string, unknown>>; children: ReactNode }) {
  const { trigger, children } = props;
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLElement>(null);
  return (
    <>
      {cloneElement(trigger, {
        ref: anchor,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: () => setOpen(!open),
      })}
      {open && (
        <MenuAt anchor={anchor} onClose={() => setOpen(false)}>
          {children}
        </MenuAt>
      )}
    </>
  );
}
