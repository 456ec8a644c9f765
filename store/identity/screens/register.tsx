export default function Screen() { return <h1>identity/screens/register</h1> }
