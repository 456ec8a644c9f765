/** The time after a wait of so many seconds from now, rounded up to the full minute, since pages show times without seconds. */
export const nextFullMinute = (seconds: number): Date => new Date(Math.ceil((Date.now() + seconds * 1000) / 60_000) * 60_000)
