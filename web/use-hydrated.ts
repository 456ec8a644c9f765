import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => {}

/** False on the server and until the page is hydrated. Until then forms use the browser's built-in validation. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
