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

/** The code of menus is large and no view starts with an open one, so it is loaded on demand. */
const load = () => import('./menu-popup.tsx');
const Popup = lazy(async () => ({ default: (await load()).Popup }));
export const MenuItem = lazy(async () => ({ default: (await load()).Item }));
export const MenuSeparator = lazy(async () => ({ default: (await load()).Separator }));

/** An open menu at its button, which gets the focus back. */
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
