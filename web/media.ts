import { useSyncExternalStore } from 'react'

/** Whether the screen is as a media query says; false on the server and until the page is hydrated. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const asked = matchMedia(query)
      asked.addEventListener('change', listener)
      return () => asked.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
    () => false,
  )
}
