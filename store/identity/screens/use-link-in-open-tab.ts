import { useEffect } from 'react'

/**
 * For a page whose token is in the URL fragment. A second mail's link, opened in the tab of the first one, changes only the fragment, which
 * loads nothing: the page begins anew. The skip link changes the fragment too, to the id of an element.
 */
export function useLinkInOpenTab() {
  useEffect(() => {
    const beginAnew = () => {
      if (!document.getElementById(window.location.hash.slice(1))) window.location.reload()
    }
    window.addEventListener('hashchange', beginAnew)
    return () => window.removeEventListener('hashchange', beginAnew)
  }, [])
}
