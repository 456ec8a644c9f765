import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False until the page's script runs: until then the browser's own checks stand in for ours. */
export const useScript = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
