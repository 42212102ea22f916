// Faults in OpenCL C, and two right kernels; the twins of faults.cu. Each runs as two groups of 32.
__kernel void no_barrier(__global int *o) {
  __local int s[32];
  int t = get_local_id(0);
  s[t] = t;
  o[get_global_id(0)] = s[31 - t];
}
__kernel void overwritten_early(__global int *o) {
  __local int s[32];
  int t = get_local_id(0), sum = 0;
  for (int i = 0; i < 4; i++) {
    s[t] = t + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += s[31 - t];
  }
  o[get_global_id(0)] = sum;
}
__kernel void lost_update(__global int *o) { o[0] += 1; }
__kernel void barrier_in_branch(__global int *o) {
  if (get_local_id(0) < 16) barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = 1;
}
__kernel void never_written(__global int *o) {
  __local int s[32];
  int t = get_local_id(0);
  if (t < 16) s[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (s[t]) o[get_global_id(0)] = 1;
}
// The group that counts last adds up what both have stored; nothing makes it see the other's.
__kernel void last_group_unfenced(__global int *o) {
  if (get_local_id(0)) return;
  o[1 + get_group_id(0)] = 5;
  if (atomic_inc(&o[0]) == 1) o[3] = o[1] + o[2];
}
__kernel void last_group(__global int *o) {
  if (get_local_id(0)) return;
  o[1 + get_group_id(0)] = 5;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(&o[0]) == 1) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    o[3] = o[1] + o[2];
  }
}
__kernel void right(__global int *o) {
  __local int s[32];
  int t = get_local_id(0), sum = 0;
  for (int i = 0; i < 4; i++) {
    s[t] = t + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += s[31 - t];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  o[get_global_id(0)] = sum;
}
