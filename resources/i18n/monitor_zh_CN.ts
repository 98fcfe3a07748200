<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>MonitorPage</name>
    <message>
        <source>1 h</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>1 min</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>10 min</source>
        <translation>10 分钟</translation>
    </message>
    <message>
        <source>24 h</source>
        <translation>24 小时</translation>
    </message>
    <message>
        <source>6 h</source>
        <translation>6 小时</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Graphs and all pages also work on a recorded machine.</source>
        <translation>曲线和所有页面也适用于已录制的机器。</translation>
    </message>
    <message>
        <source>Look at a recorded machine</source>
        <translation>查看已录制的机器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>Monitor</source>
        <translation>监控</translation>
    </message>
    <message>
        <source>No process uses a GPU now.</source>
        <translation>目前没有进程使用 GPU。</translation>
    </message>
    <message>
        <source>Open an example</source>
        <translation>打开示例</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>功耗</translation>
    </message>
    <message>
        <source>See why</source>
        <translation>查看原因</translation>
    </message>
    <message>
        <source>Stretch of time</source>
        <translation>时间范围</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>The driver has not told which processes use the GPUs.</source>
        <translation>驱动没有提供使用 GPU 的进程信息。</translation>
    </message>
    <message>
        <source>The page Compatibility says what was looked at and what is missing.</source>
        <translation>“兼容性”页面会说明检查了什么、缺少什么。</translation>
    </message>
    <message>
        <source>The recording does not say which processes used the GPUs.</source>
        <translation>录制数据中没有记录哪些进程在使用 GPU。</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Why is no GPU seen?</source>
        <translation>为什么看不到 GPU？</translation>
    </message>
    <message>
        <source>a recording of {time}, played in a loop</source>
        <translation>时长 {time} 的录制，循环播放</translation>
    </message>
    <message>
        <source>every {n} s</source>
        <translation>每 {n} 秒</translation>
    </message>
    <message>
        <source>one look that was recorded</source>
        <translation>仅记录了一次读数</translation>
    </message>
    <message>
        <source>the recording has no readings over time</source>
        <translation>该录制不含随时间变化的读数</translation>
    </message>
</context>
</TS>
