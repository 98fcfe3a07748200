<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CardFactsMaker</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slice(s) instead of one card</source>
        <translation>
            <numerusform>已切分为 %n 个实例</numerusform>
        </translation>
    </message>
    <message>
        <source>Asleep</source>
        <translation>休眠</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Last readings {time}</source>
        <translation>最后读数 {time}</translation>
    </message>
    <message>
        <source>Load not known</source>
        <translation>负载未知</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>读取中</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>已丢失</translation>
    </message>
    <message>
        <source>MIG on</source>
        <translation>已启用 MIG</translation>
    </message>
    <message>
        <source>Memory, power, heat: no reading</source>
        <translation>显存、功耗、温度：无读数</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>无应答</translation>
    </message>
    <message>
        <source>No driver</source>
        <translation>无驱动</translation>
    </message>
    <message>
        <source>No longer answers the driver. A restart of the machine usually brings it back.</source>
        <translation>该显卡已不再响应驱动。重启机器通常可以恢复。</translation>
    </message>
    <message>
        <source>PID {number}</source>
        <translation>PID {number}</translation>
    </message>
    <message>
        <source>Slowed: heat</source>
        <translation>过热降频</translation>
    </message>
    <message>
        <source>Slowed: power</source>
        <translation>供电降频</translation>
    </message>
    <message>
        <source>Stale: {age} old</source>
        <translation>读数已旧：{age}前</translation>
    </message>
    <message>
        <source>Switched off to save power. It wakes when a program uses it; looking at it does not wake it.</source>
        <translation>已断电以节省电量。有程序使用时会自动唤醒；在这里查看不会唤醒它。</translation>
    </message>
    <message>
        <source>TensorFlow cannot use it</source>
        <translation>TensorFlow 无法使用</translation>
    </message>
    <message>
        <source>The card is there, but no driver answers for it.</source>
        <translation>检测到显卡，但没有驱动应答。</translation>
    </message>
    <message>
        <source>The driver gives no readings for this card.</source>
        <translation>驱动不提供该显卡的读数。</translation>
    </message>
    <message>
        <source>The driver has not answered yet.</source>
        <translation>驱动尚未应答。</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练中</translation>
    </message>
    <message>
        <source>Unknown card</source>
        <translation>未知显卡</translation>
    </message>
    <message>
        <source>capability {number}</source>
        <translation>计算能力 {number}</translation>
    </message>
    <message>
        <source>compute capability {number}</source>
        <translation>计算能力 {number}</translation>
    </message>
    <message>
        <source>driver {version}</source>
        <translation>驱动 {version}</translation>
    </message>
    <message>
        <source>limit {number} W</source>
        <translation>上限 {number} W</translation>
    </message>
    <message>
        <source>limit {number} °C</source>
        <translation>上限 {number} °C</translation>
    </message>
    <message>
        <source>no reading</source>
        <translation>无读数</translation>
    </message>
    <message>
        <source>{total} GiB shared</source>
        <translation>{total} GiB（共享）</translation>
    </message>
</context>
<context>
    <name>EnvironmentModel</name>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>检查中…</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>环境</translation>
    </message>
    <message>
        <source>No TensorFlow</source>
        <translation>未安装 TensorFlow</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Not ready</source>
        <translation>未就绪</translation>
    </message>
    <message>
        <source>Processor only</source>
        <translation>仅 CPU</translation>
    </message>
    <message>
        <source>Proof is out of date</source>
        <translation>验证已过期</translation>
    </message>
    <message>
        <source>Proven on GPU</source>
        <translation>GPU 已验证</translation>
    </message>
    <message>
        <source>Ready, with notes</source>
        <translation>已就绪，有提示</translation>
    </message>
    <message>
        <source>Should be ready</source>
        <translation>应可就绪</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
</context>
<context>
    <name>MachineRows</name>
    <message numerus="yes">
        <source>%n core(s)</source>
        <translation>
            <numerusform>%n 核</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s) usable</source>
        <translation>
            <numerusform>可用 %n 线程</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>GPU link</source>
        <translation>GPU 互联</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message numerus="yes">
        <source>NVLink between %n GPUs</source>
        <translation>
            <numerusform>%n 块 GPU 之间有 NVLink</numerusform>
        </translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>hard disk</source>
        <translation>机械硬盘</translation>
    </message>
    <message>
        <source>in memory</source>
        <translation>内存盘</translation>
    </message>
    <message>
        <source>kernel {version}</source>
        <translation>内核 {version}</translation>
    </message>
    <message>
        <source>network</source>
        <translation>网络存储</translation>
    </message>
    <message>
        <source>no NVLink</source>
        <translation>无 NVLink</translation>
    </message>
    <message>
        <source>none answers</source>
        <translation>无应答</translation>
    </message>
    <message>
        <source>runs CUDA up to {version}</source>
        <translation>最高支持 CUDA {version}</translation>
    </message>
    <message>
        <source>version not told</source>
        <translation>未提供版本</translation>
    </message>
    <message>
        <source>{memory} (limited)</source>
        <translation>{memory}（受限）</translation>
    </message>
    <message>
        <source>{total}, {free} free</source>
        <translation>{total}，可用 {free}</translation>
    </message>
</context>
<context>
    <name>ProcessModel</name>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>PID</source>
        <translation>PID</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>desktop</source>
        <translation>桌面</translation>
    </message>
    <message>
        <source>not yours</source>
        <translation>不属于您</translation>
    </message>
</context>
<context>
    <name>ProofModel</name>
    <message>
        <source>Device it really ran on</source>
        <translation>实际运行的设备</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
</context>
<context>
    <name>RequirementModel</name>
    <message>
        <source>C library (glibc)</source>
        <translation>C 库（glibc）</translation>
    </message>
    <message>
        <source>CUDA libraries</source>
        <translation>CUDA 运行库</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>实际</translation>
    </message>
    <message>
        <source>Free disk</source>
        <translation>可用磁盘</translation>
    </message>
    <message>
        <source>GPU driver</source>
        <translation>显卡驱动</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Machine code</source>
        <translation>机器码</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>要求</translation>
    </message>
    <message>
        <source>Operating system</source>
        <translation>操作系统</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Python packages</source>
        <translation>Python 软件包</translation>
    </message>
    <message>
        <source>Requirement</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>fit together</source>
        <translation>彼此匹配</translation>
    </message>
    <message>
        <source>no conflict</source>
        <translation>无冲突</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>not needed</source>
        <translation>不需要</translation>
    </message>
    <message>
        <source>nvcc, CUDA toolkit</source>
        <translation>nvcc、CUDA 工具包</translation>
    </message>
</context>
</TS>
