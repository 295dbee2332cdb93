import {
  type ComponentProps,
  cloneElement,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  useRef,
  useState,
} from 'react';

/** What a menu is made of is not small, and no view begins with an open one: it is fetched when one is wanted. */
const load = () => import('./menu-popup.tsx');
const Popup = lazy(async () => ({ default: (await load()).Popup }));
export const MenuItem = lazy(async () => ({ default: (await load()).Item }));
export const MenuSeparator = lazy(async () => ({ default: (await load()).Separator }));

/** An open menu at its button, which the focus goes back to. */
export function MenuAt(props: ComponentProps<typeof Popup>) {
  return (
    <Suspense>
      <Popup {...props} />
    </Suspense>
  );
}

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
        onPointerEnter: load,
        onFocus: load,
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
