import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { type LinkProps, PrefetchPageLinks, Link as RouterLink, useNavigate } from 'react-router'

/**
 * React Router's `Link`; where it leads to an absolute path, the `<a>` that React Router would render. React Router's own follows every change of the
 * router: a page has a hundred links, and before a press asked for its page all of them were rendered, which took longer than all else till then.
 * On the server a quarter of a list went into resolving their paths.
 */
export function Link(props: LinkProps) {
  const { to, discover, reloadDocument, mask, prefetch = 'none' } = props
  const isPath = typeof to === 'string' && to.startsWith('/') && !to.startsWith('//')
  if (!isPath || discover || reloadDocument || mask || (prefetch !== 'none' && prefetch !== 'intent')) return <RouterLink {...props} />
  return import.meta.env.SSR ? <ServerLink {...props} to={to} /> : <PathLink {...props} to={to} />
}

type PathLinkProps = LinkProps & { to: string }

/** What the element has of the props, without what is the router's. */
function attributesOf(props: PathLinkProps) {
  const { to, prefetch, discover, relative, reloadDocument, replace, mask, state, preventScrollReset, viewTransition, ...attributes } =
    props
  const { defaultShouldRevalidate, ...rest } = attributes
  return { ...rest, 'data-discover': 'true' }
}

function ServerLink(props: PathLinkProps) {
  const { onClick, ...attributes } = attributesOf(props)
  return <a {...attributes} href={props.to} />
}

function PathLink(props: PathLinkProps) {
  const { to, target, onClick, replace, state, preventScrollReset, viewTransition, defaultShouldRevalidate } = props
  const navigate = useNavigate()
  const [isWanted, handlers] = useIntent(props)
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const { button, metaKey, altKey, ctrlKey, shiftKey } = event
    if (event.defaultPrevented || button !== 0 || metaKey || altKey || ctrlKey || shiftKey || (target && target !== '_self')) return
    event.preventDefault()
    const isOpen = event.currentTarget.href === location.href
    navigate(to, { replace: replace ?? isOpen, state, preventScrollReset, viewTransition, defaultShouldRevalidate })
  }
  return (
    <>
      <a {...attributesOf(props)} {...handlers} href={to} onClick={open} />
      {isWanted && <PrefetchPageLinks page={to} />}
    </>
  )
}

const intentMs = 100

/** Whether the pointer or the focus has rested on the link, or a finger has come to it, and the handlers that notice it. */
function useIntent({ prefetch, onFocus, onBlur, onMouseEnter, onMouseLeave, onTouchStart }: PathLinkProps) {
  const [isWanted, setWanted] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (prefetch !== 'intent') return [false, {}] as const
  const begin = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(setWanted, intentMs, true)
  }
  const end = () => {
    clearTimeout(timer.current)
    setWanted(false)
  }
  const handlers = {
    onFocus: both(onFocus, begin),
    onBlur: both(onBlur, end),
    onMouseEnter: both(onMouseEnter, begin),
    onMouseLeave: both(onMouseLeave, end),
    onTouchStart: both(onTouchStart, begin),
  }
  return [isWanted, handlers] as const
}

const both =
  <Event,>(theirs: ((event: Event) => void) | undefined, ours: () => void) =>
  (event: Event) => {
    theirs?.(event)
    ours()
  }
