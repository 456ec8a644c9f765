import { useEffect, useState } from 'react'

/** True once the text has not changed for 0.8 s: whoever typed it has finished, or stopped to think. */
export function useRested(text: string): boolean {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), 800)
    return () => clearTimeout(timer)
  }, [text])
  return rested === text
}
