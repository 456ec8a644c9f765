import { useSyncExternalStore } from 'react'

/** Whether the media query matches; false on the server and until the page is hydrated. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const mediaQueryList = matchMedia(query)
      mediaQueryList.addEventListener('change', listener)
      return () => mediaQueryList.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}
