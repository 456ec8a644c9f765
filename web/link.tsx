import { type LinkProps, Link as RouterLink } from 'react-router'

/**
 * React Router's `Link`. On the server it is the `<a>` that React Router would render: a list page has about a hundred links, and a quarter
 * of its rendering went into resolving their absolute paths and into handlers that a server never calls.
 */
export const Link: (props: LinkProps) => React.ReactNode = import.meta.env.SSR ? ServerLink : RouterLink

function ServerLink(props: LinkProps) {
  const { to, prefetch, discover, relative, reloadDocument, replace, mask, state, preventScrollReset, viewTransition, ...attributes } =
    props
  const { defaultShouldRevalidate, onClick, children, ...rest } = attributes
  if (typeof to !== 'string' || !to.startsWith('/') || discover || reloadDocument || mask) return <RouterLink {...props} />
  return (
    <a {...rest} href={to} data-discover="true">
      {children}
    </a>
  )
}
