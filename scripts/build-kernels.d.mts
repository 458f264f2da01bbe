export function buildKernels(): Promise<void>;
export function renderKernels(): Promise<string>;
